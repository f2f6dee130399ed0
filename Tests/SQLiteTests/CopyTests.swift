import Foundation
import Synchronization
import Testing

@testable import SQL
@testable import SQLite

/// Copies of a database while it is written.
struct CopyTests {
  @Test func `a copy under load has all earlier commits and no partial transaction`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator([notes]))
      try await database.writer.fill(200, with: 100_000)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          group.addTask {
            for turn in 0... {
              if Task.isCancelled { break }
              try await database.writer.turn(turn, of: writer)
            }
          }
        }
        for number in 0..<5 {
          let before = try database.readers.newest()
          let copy = "\(path)-copy-\(number)"
          try await database.writer.copy(to: copy)
          let after = try database.readers.newest()
          let copied = try SQLiteDatabase(path: copy, migrator: migrator([notes]))
          let newest = try copied.readers.newest()
          #expect(before <= newest && newest <= after && before > 0)
          #expect(try copied.readers.damage() == ["ok"])
          // Each transaction writes two rows.
          #expect(try copied.readers.oddGroups() == 0)
          await copied.close()
        }
        group.cancelAll()
        try await group.waitForAll()
      }
      await database.close()
    }
  }

  @Test func `progress ends at the total, and the file is the whole copy`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator([notes]))
      try await database.writer.fill(50, with: 1_000_000)
      let told = Mutex<[(Int64, Int64)]>([])
      try await database.writer.copy(to: "\(path)-copy") { done, all in
        told.withLock { $0.append((done, all)) }
      }
      let progress = told.withLock { $0 }
      let (done, all) = try #require(progress.last)
      let bytes = try FileManager.default.attributesOfItem(atPath: "\(path)-copy")[.size] as? Int64
      #expect(done == all && bytes == all && progress.count > 20)
      #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.0 < $1.0 })
      for rest in ["-wal", "-journal", "-shm"] {
        #expect(!FileManager.default.fileExists(atPath: "\(path)-copy\(rest)"))
      }
      await database.close()
    }
  }

  @Test func `a secondary writer restarts the copy, and its writes are in it`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator([notes]))
      try await database.writer.fill(100, with: 500_000)
      let guest = try SQLiteDatabase(secondaryAt: path, migrator: migrator([notes]))
      let (halfway, isHalfway) = AsyncStream<Void>.makeStream()
      async let copying: Void = database.writer.copy(to: "\(path)-copy") { done, all in
        if done > all / 2 { isHalfway.finish() }
      }
      for await _ in halfway {}
      try await guest.writer.fill(1, with: 10)
      try await copying
      let copied = try SQLiteDatabase(path: "\(path)-copy", migrator: migrator([notes]))
      #expect(try copied.readers.damage() == ["ok"])
      #expect(try [100, 101].contains(copied.readers.newest()))
      await copied.close()
      await guest.close()
      await database.close()
    }
  }

  @Test func `a canceled copy leaves no file, and the next one succeeds`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator([notes]))
      try await database.writer.fill(100, with: 500_000)
      let (begun, begins) = AsyncStream<Void>.makeStream()
      let task = Task {
        try await database.writer.copy(to: "\(path)-copy") { _, _ in
          begins.finish()
          // Slow enough to be canceled before the copy is complete.
          usleep(10_000)
        }
      }
      for await _ in begun {}
      await #expect(throws: DatabaseError(.busy, "Another copy is running.")) {
        try await database.writer.copy(to: "\(path)-other")
      }
      task.cancel()
      await #expect(throws: DatabaseError(.interrupted, "The copy was canceled.")) {
        try await task.value
      }
      #expect(!FileManager.default.fileExists(atPath: "\(path)-copy"))
      #expect(!FileManager.default.fileExists(atPath: "\(path)-other"))
      try await database.writer.copy(to: "\(path)-copy")
      await database.close()
      await #expect(throws: DatabaseError.self) {
        try await database.writer.copy(to: "\(path)-third")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(path)-third"))
    }
  }

  @Test func `an existing file is not overwritten`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator([notes]))
      try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(path)-copy"))
      let failure = await #expect(throws: DatabaseError.self) {
        try await database.writer.copy(to: "\(path)-copy")
      }
      #expect(failure?.code == .cannotOpen && failure?.systemError == EEXIST)
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path)-copy")) == Data("mine".utf8))
      await database.close()
    }
  }
}

private let notes = Migration(
  name: "one", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, part INTEGER, text)")

extension SQLiteWriter {
  fileprivate func fill(_ rows: Int, with bytes: Int) async throws {
    let text = String(repeating: "x", count: bytes)
    try await transaction { db in
      for _ in 0..<rows { try db.run("INSERT INTO notes (text) VALUES (?)", text) }
    }
  }

  /// Writes two rows in a transaction; in every seventh, one row is large. Every third transaction is rolled back, and
  /// every fifth deletes an earlier group.
  fileprivate func turn(_ turn: Int, of writer: Int) async throws {
    struct TakenBack: Error {}
    let group = turn * 4 + writer + 1
    let text = String.filled("y", turn % 7 == 0 ? 3_000_000 : 2000)
    let isTakenBack = turn % 3 == 1
    do {
      try await transaction { db in
        for text in [text, "z"] {
          try db.run("INSERT INTO notes (part, text) VALUES (?, ?)", group, text)
        }
        if turn % 5 == 0 {
          try db.run(
            "DELETE FROM notes WHERE part = (SELECT min(part) FROM notes WHERE part < ?)", group)
        }
        if isTakenBack { throw TakenBack() }
      }
    } catch { try #require(isTakenBack) }
  }
}

extension SQLiteReaders {
  fileprivate func newest() throws -> Int {
    try blockingRead { db in
      try db.first("SELECT max(id) FROM notes") { row in try row[0] as Int }
        ?? 0
    }
  }

  fileprivate func oddGroups() throws -> Int {
    try blockingRead { db in
      try db.value(
        """
        SELECT count(*) FROM (SELECT part FROM notes WHERE part IS NOT NULL GROUP BY part HAVING count(*) <> 2)
        """) ?? -1
    }
  }

  fileprivate func damage() throws -> [String] {
    try blockingRead { db in
      try db.column("PRAGMA integrity_check")
    }
  }
}
