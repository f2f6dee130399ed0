package import Foundation

/// The system's Python, which reads with libraries of others what we write.
package enum Python {
  package struct Failure: Error {
    package let message: String
  }

  /// `script/setup` installs what our tests need for the system's Python, and where there is no package of it into a folder of
  /// ours.
  package static func path() throws -> String {
    let ours = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: ".build/python/bin/python3").path
    return FileManager.default.isExecutableFile(atPath: ours) ? ours : "/usr/bin/python3"
  }

  /// Runs a program, and waits for it on this thread.
  ///
  /// - Returns: what it wrote.
  /// - Throws: what it complained about, where it failed.
  package static func run(_ program: String, _ arguments: String...) throws -> Data {
    let (process, output, complaints) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(filePath: try path())
    process.arguments = ["-c", program] + arguments
    process.standardOutput = output
    process.standardError = complaints
    try process.startAlone()
    let written = output.fileHandleForReading.readDataToEndOfFile()
    let message = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(message: String(decoding: message, as: UTF8.self))
    }
    return written
  }
}
