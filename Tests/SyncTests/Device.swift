import Foundation
import Support

/// A simulated phone: a library of memes in a folder, used by one process of `mememe-client` after
/// another. Each process may be killed.
struct Device: Sendable {
  let name: String
  private let client: ClientProcess

  /// The exit codes of `sync` that a bad network and conflicts can cause: `refused` if a change became a draft, and
  /// `waits` if changes are still pending.
  static let (refused, waits): (Int32, Int32) = (1, 3)

  /// - Parameter address: The address of the server, which is the proxy's.
  init(name: String, store: URL, address: String) {
    self.name = name
    client = ClientProcess(store: store, server: address)
  }

  /// - Throws: An error if a signal that the test did not send ends the process.
  func run(
    _ arguments: String..., killedAfter milliseconds: Int? = nil
  ) async throws -> ClientProcess.Ending {
    try await run(arguments, killedAfter: milliseconds)
  }

  func run(
    _ arguments: [String], killedAfter milliseconds: Int? = nil
  ) async throws -> ClientProcess.Ending {
    try await client.run(
      arguments + ["--timeout", "5"], password: TestServer.password, killedAfter: milliseconds)
  }

  /// The memes that the device shows, without a request to the server.
  func memes() async throws -> [JSON] { try await client.json("list") }

  /// The drafts: edits and memes that could not be sent.
  func drafts() async throws -> [JSON] { try await client.json("drafts") }
}
