package import Foundation

/// The system's Python, which reads our output with the libraries of others.
package enum Python {
  package struct Failure: Error, CustomStringConvertible {
    package let message: String

    package var description: String { message }
  }

  /// `script/setup` installs what the tests need for the system's Python. Libraries without a package go into an
  /// environment of ours, which also sees the system's libraries.
  package static func path() throws -> String {
    let ours = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: ".build/python/bin/python3").path
    return FileManager.default.isExecutableFile(atPath: ours) ? ours : "/usr/bin/python3"
  }

  /// Runs a program, and waits for it on this thread.
  ///
  /// - Returns: the standard output.
  /// - Throws: ``Failure`` with the standard error, if the program fails.
  package static func run(_ program: String, _ arguments: String...) throws -> Data {
    try run(["-c", program] + arguments)
  }

  /// Runs a program in a file, as above.
  package static func run(file: URL, _ arguments: String...) throws -> Data {
    try run([file.path] + arguments)
  }

  private static func run(_ arguments: [String]) throws -> Data {
    let (process, output, complaints) = (Process(), Pipe.alone(), Pipe.alone())
    process.executableURL = URL(filePath: try path())
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = complaints
    let end = try process.startAlone()
    let written = output.fileHandleForReading.readDataToEndOfFile()
    let message = complaints.fileHandleForReading.readDataToEndOfFile()
    end.wait()
    guard process.terminationStatus == 0 else {
      throw Failure(message: String(decoding: message, as: UTF8.self))
    }
    return written
  }
}
