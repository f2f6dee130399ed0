import Foundation
import Testing

@testable import SQL
@testable import SQLite

/// The system error that an SQLite error reports.
struct DatabaseErrorTests {
  @Test func `an error without a system call reports no earlier errno`() async throws {
    try await withScratchFile { path in
      // An existing folder with a path that is too long for SQLite, which rejects it without a system call.
      let names = Array(repeating: String(repeating: "x", count: 200), count: 3)
      let folder = "\(path)/\(names.joined(separator: "/"))"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      errno = ESPIPE
      let error = #expect(throws: DatabaseError.self) {
        try Connection(path: "\(folder)/file.db", .readWrite, busyMilliseconds: 0)
      }
      #expect(error?.code == .cannotOpen && error?.systemError == 0, "\(error as Any)")
    }
  }

  @Test func `an error of a system call reports its errno`() async throws {
    try await withScratchFile { path in
      let error = #expect(throws: DatabaseError.self) {
        try Connection(path: "\(path)/nowhere/file.db", .readWrite, busyMilliseconds: 0)
      }
      #expect(error?.code == .cannotOpen && error?.systemError == ENOENT, "\(error as Any)")
    }
  }
}
