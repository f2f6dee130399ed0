package import Foundation
import Wire

/// A server in a process of its own, for what only a process can show: signals, exit codes, `kill -9`.
package final class ServerProcess: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let port: Int
  private let process: Process

  /// Starts `mememe serve` on a free port and waits for its start line.
  package init(data: URL, settings: [String: String] = [:]) async throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.executable
    process.arguments = ["serve", "--port", "0", "--data", data.path]
    process.environment = settings
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    let reader = output.fileHandleForReading
    port = try await blocking {
      var log = ""
      while true {
        let piece = reader.availableData
        guard !piece.isEmpty else {
          throw Failure(description: "ended before it was ready: \(log)")
        }
        log += String(decoding: piece, as: UTF8.self)
        if let match = log.firstMatch(of: /127\.0\.0\.1:(\d+)/), let port = Int(match.1) {
          // The pipe must not fill up.
          DispatchQueue.global().async { while !reader.availableData.isEmpty {} }
          return port
        }
      }
    }
  }

  /// Runs a command of `mememe` to its end.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> (code: Int32, output: String) {
    let executable = executable
    return try await blocking {
      let process = Process()
      let output = Pipe()
      process.executableURL = executable
      process.arguments = arguments
      process.environment = environment
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
  }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: the exit code, or the signal's number where it ended the process.
  package func end(by signal: Int32) async throws -> Int32 {
    kill(process.processIdentifier, signal)
    return try await blocking { [self] in
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  package func send(_ request: [UInt8]) async throws -> Answer {
    let client = try WireClient(port: UInt16(port))
    await client.send(request)
    return Answer(try await client.response())
  }

  package func get(_ target: String) async throws -> Answer { try await send("GET", target) }

  package func delete(_ target: String, token: String) async throws -> Answer {
    try await send("DELETE", target, token: token)
  }

  package func restore(_ target: String, token: String) async throws -> Answer {
    try await send("POST", "\(target)/restore", token: token)
  }

  private func send(
    _ method: String, _ target: String, token: String? = nil
  ) async throws -> Answer {
    let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    return try await send(
      Array(
        "\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(authorization)\r\n".utf8)
    )
  }

  package func post(_ form: FormBody, key: String? = nil) async throws -> Answer {
    try await send(Self.upload(form, key: key))
  }

  /// The bytes of a request that uploads the form.
  package static func upload(_ form: FormBody, key: String? = nil) -> [UInt8] {
    let key = key.map { "Idempotency-Key: \($0)\r\n" } ?? ""
    return Array(
      """
      POST /memes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: \(form.contentType)\r
      \(key)Content-Length: \(form.bytes.count)\r\n\r\n
      """.utf8) + form.bytes
  }

  /// Beside the tests' own binary.
  private static var executable: URL {
    Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      .map { $0.bundleURL.deletingLastPathComponent().appending(path: "mememe") }
      ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "mememe")
  }
}
