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
    let output = Pipe()
    // Not a pipe, which could fill up while the other one is read.
    let complaints = store.deletingLastPathComponent().appending(path: "\(name).complaints")
    _ = FileManager.default.createFile(atPath: complaints.path, contents: nil)
    process.executableURL = ServerProcess.product("mememe-client")
    process.arguments = arguments + ["--store", store.path, "--server", address, "--timeout", "5"]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["MEMEME_PASSWORD": TestServer.password]) { $1 }
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: complaints)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let id = process.processIdentifier
    let killing = milliseconds.map { milliseconds in
      Task {
        try await Task.sleep(for: .milliseconds(milliseconds))
        kill(id, SIGKILL)
      }
    }
    defer { killing?.cancel() }
    return try await blocking {
      let written = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return Ending(
        code: process.terminationStatus, output: String(decoding: written, as: UTF8.self),
        complaints: (try? String(contentsOf: complaints, encoding: .utf8)) ?? "",
        wasKilled: process.terminationReason == .uncaughtSignal)
    }
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
