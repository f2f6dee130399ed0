import Foundation
import HTTP
import Memes
import Support
import Testing
import Wire
import mememe

extension Settings {
  /// Lets members send events to this machine.
  mutating func sendEvents() throws {
    connections = .members
    connectionsAllow = [try #require(AddressRange("127.0.0.0/8"))]
  }
}

extension TestServer {
  /// Makes a connection with one mapping.
  ///
  /// - Parameter mapping: the members of the mapping's JSON.
  /// - Returns: the connection, with its secret.
  func connect(
    to receiver: WebhookReceiver, _ mapping: String, scope: String = "own", token: String
  ) async throws -> JSON {
    let made = try await json(
      "POST", "/connections",
      #"{"name":"receiver","url":"\#(receiver.url)","scope":"\#(scope)"}"#, token: token
    ).expect(201).json
    try await json(
      "POST", "/connections/\(made.id.text ?? "")/mappings", "{\(mapping)}", token: token
    ).expect(201)
    return made
  }

  func connection(_ made: JSON, token: String) async throws -> JSON {
    try await get("/connections/\(made.id.text ?? "")", token: token).expect(200).json
  }

  @discardableResult
  func act(_ action: String, on made: JSON, token: String) async throws -> Answer {
    try await send(
      "POST", "/connections/\(made.id.text ?? "")/actions/\(action)",
      headers: [("Authorization", "Bearer \(token)")])
  }
}
