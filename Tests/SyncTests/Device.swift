import Foundation
import Support

/// A phone: a library of memes in its folder, that one process of `mememe-client` after the other has open, any of which may be
/// killed.
struct Device: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// How a process of the client ended, and what it wrote.
  struct Ending: Sendable {
    let code: Int32
    let output: String
    let complaints: String
    let wasKilled: Bool
  }

  let name: String
  let store: URL
  /// Where it finds the server, which is the proxy.
  let address: String

  /// The exit codes of `sync` that a bad network and a conflict bring: something became a draft; something waits.
  static let (refused, waits): (Int32, Int32) = (1, 3)

  func run(
    _ arguments: String..., killedAfter milliseconds: Int? = nil
  ) async throws -> Ending {
    try await run(arguments, killedAfter: milliseconds)
  }

  func run(_ arguments: [String], killedAfter milliseconds: Int? = nil) async throws -> Ending {
    let process = Process()
    // Not pipes, whose ends others may hold that are started at the same moment.
    let output = try file("output")
    let complaints = try file("complaints")
    process.executableURL = ServerProcess.product("mememe-client")
    process.arguments = arguments + ["--store", store.path, "--server", address, "--timeout", "5"]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["MEMEME_PASSWORD": TestServer.password]) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: complaints)
    process.standardInput = FileHandle.nullDevice
    let end = try process.startAlone()
    let id = process.processIdentifier
    let killing = milliseconds.map { milliseconds in
      Task {
        try await Task.sleep(for: .milliseconds(milliseconds))
        kill(id, SIGKILL)
      }
    }
    defer { killing?.cancel() }
    return try await blocking {
      end.wait()
      return Ending(
        code: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
        complaints: try String(contentsOf: complaints, encoding: .utf8),
        wasKilled: process.terminationReason == .uncaughtSignal)
    }
  }

  private func file(_ name: String) throws -> URL {
    let file = store.deletingLastPathComponent().appending(path: "\(self.name).\(name)")
    try Data().write(to: file)
    return file
  }

  /// What the device shows without asking anybody.
  func memes() async throws -> [JSON] { try await json("list", "--json") }

  /// The edits and memes that could not be sent, and are kept.
  func drafts() async throws -> [JSON] { try await json("drafts", "--json") }

  private func json(_ arguments: String...) async throws -> [JSON] {
    let ending = try await run(arguments)
    guard ending.code == 0 else {
      throw Failure(
        description: "\(arguments) on \(name) ended with \(ending.code): \(ending.complaints)")
    }
    return try JSON(parsing: Array(ending.output.utf8)).elements
  }
}
