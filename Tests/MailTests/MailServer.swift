import Foundation
import Memes
import Testing

/// A real mail server, aiosmtpd, on a free port of the loopback, for as long as there is a reference to this.
final class MailServer: Sendable {
  let port: Int
  private let process: Process
  private let input = Pipe()
  private let output: FileHandle

  /// What the server took, as Python's own reader of mail understood it.
  struct Received: Decodable {
    struct Part: Decodable {
      let type: String
      let name: String?
      let bytes: Data
    }

    let from: String
    let to: [String]
    let encrypted: Bool
    let longestLine: Int
    let bareLineEnds: Int
    let isASCII: Bool
    let defects: [String]
    let headers: [String: String]
    let parts: [Part]
  }

  /// How somebody signed in.
  struct SignIn: Decodable, Equatable {
    let mechanism: String
    let encrypted: Bool
  }

  private struct Start: Decodable { let port: Int }

  init(_ options: String...) throws {
    let pipe = Pipe()
    process = Process()
    process.executableURL = URL(filePath: try Self.python())
    process.arguments = [Self.fixture("server.py").path] + options
    process.standardInput = input
    process.standardOutput = pipe
    output = pipe.fileHandleForReading
    try process.run()
    port = try JSONDecoder().decode(Start.self, from: Self.line(from: output)).port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The next mail that was taken.
  func received() throws -> Received {
    try JSONDecoder().decode(Received.self, from: Self.line(from: output))
  }

  func signIn() throws -> SignIn {
    try JSONDecoder().decode(SignIn.self, from: Self.line(from: output))
  }

  /// Closes the server.
  ///
  /// - Returns: what it said that nobody has read yet.
  func end() throws -> String {
    try input.fileHandleForWriting.close()
    return String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
  }

  static func fixture(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
  }

  private static func line(from output: FileHandle) throws -> Data {
    var line = Data()
    while let byte = try output.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
    return line
  }

  /// `script/setup` installs aiosmtpd for the system's Python, and where there is no package of it into a folder of ours.
  private static func python() throws -> String {
    let ours = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: ".build/python/bin/python3").path
    return FileManager.default.isExecutableFile(atPath: ours) ? ours : "/usr/bin/python3"
  }
}
