package import Foundation

/// A real mail server, aiosmtpd, on a free port of the loopback interface. It runs as long as this object exists.
package final class MailServer: Sendable {
  package let port: Int
  private let ending: ProcessEnd
  private let input = Pipe.alone()
  private let output: FileHandle

  /// A mail that the server accepted, as parsed by Python.
  package struct Received: Decodable {
    package struct Part: Decodable {
      package let type: String
      package let name: String?
      package let bytes: Data
    }

    package let from: String
    package let to: [String]
    package let encrypted: Bool
    package let longestLine: Int
    package let bareLineEnds: Int
    package let isASCII: Bool
    package let defects: [String]
    package let headers: [String: String]
    package let parts: [Part]
  }

  /// How a client signed in.
  package struct SignIn: Decodable, Equatable {
    package let mechanism: String
    package let encrypted: Bool
  }

  private struct Start: Decodable { let port: Int }

  package init(_ options: String...) throws {
    let pipe = Pipe.alone()
    let process = Process()
    process.executableURL = URL(filePath: try Python.path())
    process.arguments = [Self.folder.appending(path: "Fixtures/mail-server.py").path] + options
    process.standardInput = input
    process.standardOutput = pipe
    output = pipe.fileHandleForReading
    ending = try process.startAlone()
    port = try JSONDecoder().decode(Start.self, from: Self.line(from: output)).port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    ending.wait()
  }

  /// Returns the next mail that was accepted.
  package func received() throws -> Received {
    try JSONDecoder().decode(Received.self, from: Self.line(from: output))
  }

  package func signIn() throws -> SignIn {
    try JSONDecoder().decode(SignIn.self, from: Self.line(from: output))
  }

  /// Closes the server.
  ///
  /// - Returns: its output that was not read yet.
  package func end() throws -> String {
    try input.fileHandleForWriting.close()
    return String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
  }

  /// `Tests/Support`
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func line(from output: FileHandle) throws -> Data {
    var line = Data()
    while try isReadable(output), let byte = try output.read(upToCount: 1),
      byte != Data("\n".utf8)
    { line += byte }
    return line
  }

  /// - Throws: ``Silence`` if there is no output for half a minute, so that a lost mail does not block the tests.
  private static func isReadable(_ output: FileHandle) throws -> Bool {
    var request = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 30_000) == 1 else { throw Silence() }
    return true
  }

  private struct Silence: Error {}
}
