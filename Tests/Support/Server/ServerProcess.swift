import Eventually
package import Foundation
import Synchronization
package import Wire

/// A server in its own process, for tests of signals, exit codes, `kill -9` and broken disks.
package final class ServerProcess: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let process: Process
  private let ending: ProcessEnd
  private let progress = Mutex(Progress())
  /// Signaled once, when the start line arrives or the process closes its output.
  private let isDecided = DispatchSemaphore(value: 0)
  private let isRead = DispatchSemaphore(value: 0)

  private struct Progress {
    var output: [UInt8] = []
    var port: Int?
  }

  /// Starts `mememe serve` and waits for its start line.
  package convenience init(
    data: URL, port: Int = 0, settings: [String: String] = [:], executable: URL? = nil
  ) async throws {
    try self.init(launching: data, port: port, settings: settings, executable: executable)
    try await ready()
  }

  /// Starts `mememe serve` without waiting.
  ///
  /// - Parameters:
  ///   - port: 0 for a free one.
  ///   - settings: environment variables in addition to those of the tests.
  ///   - executable: the program, or `nil` for the one that was built with the tests.
  package init(
    launching data: URL, port: Int = 0, settings: [String: String] = [:], executable: URL? = nil,
    through launcher: [String] = []
  ) throws {
    let pipe = Pipe.alone()
    let command =
      launcher + [
        (executable ?? Self.executable).path, "serve", "--port", "\(port)", "--data", data.path,
      ]
    process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = Self.environment(settings)
    process.standardOutput = pipe
    process.standardError = pipe
    ending = try process.startAlone()
    let reader = pipe.fileHandleForReading
    // The pipe must not fill up.
    Thread.detachNewThread { [self] in
      while case let piece = reader.availableData, !piece.isEmpty { took(piece) }
      isDecided.signal()
      isRead.signal()
    }
  }

  private func took(_ piece: Data) {
    let isReady = progress.withLock { progress in
      progress.output += piece
      guard progress.port == nil else { return false }
      let match = String(decoding: progress.output, as: UTF8.self)
        .firstMatch(of: /127\.0\.0\.1:(\d+)[^\d]/)
      progress.port = match.flatMap { Int($0.1) }
      return progress.port != nil
    }
    if isReady { isDecided.signal() }
  }

  /// Waits for the start line.
  ///
  /// - Throws: ``Failure`` if the process ends first.
  package func ready() async throws {
    try await blocking { [isDecided] in
      isDecided.wait()
      isDecided.signal()
    }
    guard port != 0 else { throw Failure(description: "ended before it was ready: \(log)") }
  }

  /// Requests `/readyz` until it has this status. The server reuses a result for a second.
  ///
  /// - Returns: the response with this status.
  package func readiness(becoming status: Int) async throws -> Answer {
    var answer = try await get("/readyz")
    try await eventually("/readyz returns \(status)") {
      if answer.status != status { answer = try await get("/readyz") }
      return answer.status == status
    }
    return answer
  }

  /// The port on which the server listens, or 0 before it is ready.
  package var port: Int { progress.withLock { $0.port ?? 0 } }

  /// The output so far, both standard output and standard error.
  package var log: String {
    progress.withLock { String(decoding: $0.output, as: UTF8.self) }
  }

  package var processID: Int32 { process.processIdentifier }

  package var isRunning: Bool { !ending.hasCome }

  /// Runs a `mememe` command to its end.
  ///
  /// - Parameter input: the standard input.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], executable: URL? = nil,
    input: String = ""
  ) async throws -> (code: Int32, output: String) {
    let executable = executable ?? Self.executable
    return try await blocking {
      let process = Process()
      let output = Pipe.alone()
      process.executableURL = executable
      process.arguments = arguments
      process.environment = Self.environment(environment)
      process.standardOutput = output
      process.standardError = output
      let typed = Pipe.alone()
      process.standardInput = typed
      let end = try process.startAlone()
      // The input fits into the pipe. A process that does not read it may have ended by now.
      try? typed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try typed.fileHandleForWriting.close()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      end.wait()
      return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
  }

  /// The environment of the tests, which also configures a sanitizer. Of the server's own variables, it has only these
  /// settings.
  private static func environment(_ settings: [String: String]) -> [String: String] {
    let given = ProcessInfo.processInfo.environment
    var environment = given.filter { !$0.key.hasPrefix("MEMEME_") }
      .merging([
        "MEMEME_RATE_LIMITS": "off", "MEMEME_RENDER_WORKERS": "1",
        "MEMEME_STARTER_TEMPLATES": "false",
      ]) { $1 }
      .merging(settings) { _, setting in setting }
    // Both the library of the thread sanitizer and that of the test are preloaded.
    let preloads = [given["LD_PRELOAD"], settings["LD_PRELOAD"]].compactMap { $0 }
    if !preloads.isEmpty { environment["LD_PRELOAD"] = preloads.joined(separator: ":") }
    return environment
  }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: the exit code, or the number of the signal that ended the process.
  package func end(by signal: Int32) async throws -> Int32 {
    send(signal: signal)
    return try await ended()
  }

  /// Waits for the end, whatever causes it.
  ///
  /// - Returns: the exit code, or the number of the signal that ended the process.
  package func ended() async throws -> Int32 {
    try await blocking { [process, ending, isRead] in
      ending.wait()
      // The last output may still be in transit. The wait is short, even if another process has the other end of the
      // pipe.
      if isRead.wait(timeout: .now() + 5) == .success { isRead.signal() }
      return process.terminationStatus
    }
  }

  package func connect() throws -> WireClient { try WireClient(port: UInt16(clamping: port)) }

  package func send(signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits until connections are refused.
  package func isClosing() async throws {
    try await eventually("connections are refused") { (try? connect()) == nil }
  }

  package func send(_ request: [UInt8]) async throws -> Answer {
    let client = try connect()
    await client.send(request)
    return Answer(try await client.response())
  }

  package func get(_ target: String, token: String? = nil) async throws -> Answer {
    try await send("GET", target, token: token)
  }

  package func delete(_ target: String, token: String) async throws -> Answer {
    try await send("DELETE", target, token: token)
  }

  /// Sends an edit as JSON.
  package func patch(_ target: String, _ json: String, token: String) async throws -> Answer {
    try await self.json("PATCH", target, json, token: token)
  }

  /// Sends JSON, or no body if `json` is `nil`.
  package func json(
    _ method: String, _ target: String, _ json: String?, token: String? = nil
  ) async throws -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    if let token { head += "Authorization: Bearer \(token)\r\n" }
    if json != nil { head += "Content-Type: application/json\r\n" }
    let body = json ?? ""
    return try await send(Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
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

  /// The server's program: the one that `TEST_PROGRAM` names, or the one that was built with the tests.
  package static var executable: URL {
    ProcessInfo.processInfo.environment["TEST_PROGRAM"].map { URL(filePath: $0).absoluteURL }
      ?? product("mememe")
  }

  /// A file that was built with the tests, and is in the folder of their binary.
  package static func product(_ name: String) -> URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return (bundle?.bundleURL ?? URL(filePath: CommandLine.arguments[0]))
      .deletingLastPathComponent().appending(path: name)
  }
}
