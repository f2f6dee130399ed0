package import Foundation

/// A real mail server, aiosmtpd, on a free port of the loopback, for as long as there is a reference to this.
package final class MailServer: Sendable {
  package let port: Int
  private let ending: ProcessEnd
  private let input = Pipe.alone()
  private let output: FileHandle

  /// What the server took, as Python's own reader of mail understood it.
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

  /// How somebody signed in.
  package struct SignIn: Decodable, Equatable {
    package let mechanism: String
    package let encrypted: Bool
  }

  private struct Start: Decodable { let port: Int }

  package init(_ options: String...) throws {
    // As `mememe serve` does: libcurl leaves the signal to the program, and whoever it talks to may hang up.
    signal(SIGPIPE, SIG_IGN)
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

  /// The next mail that was taken.
  package func received() throws -> Received {
    try JSONDecoder().decode(Received.self, from: Self.line(from: output))
  }

  package func signIn() throws -> SignIn {
    try JSONDecoder().decode(SignIn.self, from: Self.line(from: output))
  }

  /// Closes the server.
  ///
  /// - Returns: what it said that nobody has read yet.
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

  /// - Throws: where nothing comes for half a minute: a mail that is lost must not hold up the tests.
  private static func isReadable(_ output: FileHandle) throws -> Bool {
    var request = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 30_000) == 1 else { throw Silence() }
    return true
  }

  private struct Silence: Error {}
}
