import Foundation
import Testing

@testable import SQLite

/// What an error says of the system behind it.
struct SQLiteErrorTests {
  @Test func `an error of no call of the system's names none that failed before`() async throws {
    try await withScratchFile { path in
      // Longer than SQLite takes, and there: it refuses it by itself.
      let names = Array(repeating: String(repeating: "x", count: 200), count: 3)
      let folder = "\(path)/\(names.joined(separator: "/"))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      errno = ESPIPE
      let error = #expect(throws: SQLiteError.self) {
        try Connection(path: "\(folder)/file.db", .readWrite, busyMilliseconds: 0)
      }
      #expect(error?.code == .cannotOpen && error?.systemError == 0, "\(error as Any)")
    }
  }

  @Test func `an error of a call of the system's names it`() async throws {
    try await withScratchFile { path in
      let error = #expect(throws: SQLiteError.self) {
        try Connection(path: "\(path)/nowhere/file.db", .readWrite, busyMilliseconds: 0)
      }
      #expect(error?.code == .cannotOpen && error?.systemError == ENOENT, "\(error as Any)")
    }
  }
}
