package import Foundation

/// The command `mememe-client` with its own store. Each call is a separate process.
package struct ClientProcess: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The end of a process, and its output.
  package struct Ending: Sendable {
    package let code: Int32
    package let output: String
    package let complaints: String
    /// Whether it was killed as planned.
    package let wasKilled: Bool

    package var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  package let store: URL
  /// The URL of the server.
  package let server: String

  package init(store: URL, server: String) { (self.store, self.server) = (store, server) }

  /// - Parameters:
  ///   - input: the standard input.
  ///   - milliseconds: the time after which the process is killed, whatever it is doing.
  /// - Throws: ``Failure`` if a signal ended the process that was not sent here, such as a trap or a memory fault.
  package func run(
    _ arguments: String..., password: String? = nil, input: String = "",
    killedAfter milliseconds: Int? = nil
  ) async throws -> Ending {
    try await run(arguments, password: password, input: input, killedAfter: milliseconds)
  }

  package func run(
    _ arguments: [String], password: String? = nil, input: String = "",
    killedAfter milliseconds: Int? = nil
  ) async throws -> Ending {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Not pipes: processes that start at the same moment could inherit their ends.
    let (typed, output, complaints) = (
      folder.appending(path: "input"), folder.appending(path: "output"),
      folder.appending(path: "complaints")
    )
    try Data(input.utf8).write(to: typed)
    for file in [output, complaints] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = ServerProcess.product("mememe-client")
    process.arguments = ["--store", store.path, "--server", server] + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["MEMEME_PASSWORD"] = password
    process.environment = environment
    let files = [
      try FileHandle(forReadingFrom: typed), try FileHandle(forWritingTo: output),
      try FileHandle(forWritingTo: complaints),
    ]
    (process.standardInput, process.standardOutput, process.standardError) = (
      files[0], files[1], files[2]
    )
    // `Process` never closes its files, and the tests start thousands of processes.
    defer { for file in files { try? file.close() } }
    let end = try process.startAlone()
    let killing = milliseconds.map { milliseconds in
      Task {
        try await Task.sleep(for: .milliseconds(milliseconds))
        if !end.hasCome { kill(process.processIdentifier, SIGKILL) }
      }
    }
    defer { killing?.cancel() }
    return try await blocking {
      end.wait()
      let told = try String(contentsOf: complaints, encoding: .utf8)
      let signal = process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
      if let signal, signal != SIGKILL || milliseconds == nil {
        throw Failure(description: "\(arguments) was ended by signal \(signal): \(told)")
      }
      return Ending(
        code: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
        complaints: told, wasKilled: signal != nil)
    }
  }

  /// Returns the output of `list --json` or `drafts --json`.
  package func json(_ list: String) async throws -> [JSON] {
    let ending = try await run(list, "--json")
    guard ending.code == 0 else {
      throw Failure(description: "\(list) ended with \(ending.code): \(ending.complaints)")
    }
    return try JSON(parsing: Array(ending.output.utf8)).elements
  }
}
