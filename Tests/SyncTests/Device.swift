import Foundation
import Support

/// A phone: a library of memes in its folder, that one process of `mememe-client` after the other has open, any of which may be
/// killed.
struct Device: Sendable {
  let name: String
  private let client: ClientProcess

  /// The exit codes of `sync` that a bad network and a conflict bring: something became a draft; something waits.
  static let (refused, waits): (Int32, Int32) = (1, 3)

  /// - Parameter address: where it finds the server, which is the proxy.
  init(name: String, store: URL, address: String) {
    self.name = name
    client = ClientProcess(store: store, server: address)
  }

  /// - Throws: where the process is brought down by anything but being killed.
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

  /// What the device shows without asking anybody.
  func memes() async throws -> [JSON] { try await client.json("list") }

  /// The edits and memes that could not be sent, and are kept.
  func drafts() async throws -> [JSON] { try await client.json("drafts") }
}
