import Bytes
import Foundation
import SQL
import SQLite
import Testing

@Suite struct TransactionTests {
  private struct ChangedMyMind: Error, Equatable {}

  @Test func `a rewrite fails while the file is not at its path`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator())
      func rewrite() async throws {
        try await database.writer.transaction { db in try db.rewrite() }
      }
      try await rewrite()
      let files = FileManager.default
      try files.moveItem(atPath: path, toPath: path + "-moved")
      await #expect(throws: DatabaseError.self) { try await rewrite() }
      #expect(files.createFile(atPath: path, contents: nil))
      await #expect(throws: DatabaseError.self) { try await rewrite() }
      try files.removeItem(atPath: path)
      try files.moveItem(atPath: path + "-moved", toPath: path)
      try await rewrite()
      await database.close()
    }
  }

  @Test func `an error rolls back the writes`() async throws {
    try await withDatabase { database in
      await #expect(throws: ChangedMyMind()) {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO things (id) VALUES (1)")
          throw ChangedMyMind()
        }
      }
      let stored = try count(database)
      #expect(stored == 0)
    }
  }

  @Test func `a failed commit is rolled back, and the next transaction works`() async throws {
    try await withDatabase { database in
      let error = await #expect(throws: DatabaseError.self) {
        try await database.writer.transaction { db in
          try db.run("PRAGMA defer_foreign_keys = ON")
          try db.run("INSERT INTO things (id, parent) VALUES (1, 99)")
        }
      }
      #expect(error?.code == .constraint)
      try await database.writer.transaction { db in
        try db.run("INSERT INTO things (id) VALUES (2)")
      }
      #expect(try count(database) == 1)
    }
  }

  @Test func `a full disk is reported, and the next transaction works`() async throws {
    try await withDatabase { database in
      let limit: Int? = try await database.writer.transaction { db in
        try db.value("PRAGMA max_page_count = 20")
      }
      #expect(limit == 20)
      let error = await #expect(throws: DatabaseError.self) {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO things (bytes) VALUES (?)", [UInt8](repeating: 1, count: 1 << 20))
        }
      }
      #expect(error?.code == .full)
      try await database.writer.transaction { db in
        try db.run("INSERT INTO things (bytes) VALUES (?)", [UInt8](repeating: 1, count: 1 << 10))
      }
      #expect(try count(database) == 1)
    }
  }

  @Test func `readers cannot write`() async throws {
    try await withDatabase { database in
      let error = #expect(throws: DatabaseError.self) {
        try database.readers.blockingRead { db in
          try db.run("INSERT INTO things (id) VALUES (1)")
        }
      }
      #expect(error?.code == .readOnly)
    }
  }

  @Test func `a read sees one state during writes`() async throws {
    try await withDatabase { database in
      let writes = Task {
        for _ in 0..<100 {
          try await database.writer.transaction { db in
            try db.run("INSERT INTO things (number) VALUES (1)")
            try db.run("INSERT INTO things (number) VALUES (-1)")
          }
        }
      }
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<100 {
              let (before, sum, after) = try database.readers.blockingRead { db in
                let count = "SELECT count(*) FROM things"
                let before: Int? = try db.value(count)
                let sum: Int? = try db.value("SELECT coalesce(sum(number), 0) FROM things")
                let after: Int? = try db.value(count)
                return (before, sum, after)
              }
              #expect(sum == 0)
              #expect(before == after)
            }
          }
        }
        try await group.waitForAll()
      }
      try await writes.value
      #expect(try count(database) == 200)
    }
  }

  @Test func `reads wait if all connections are in use`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator(), readers: 1)
      await withTaskGroup { group in
        for _ in 0..<8 { group.addTask { #expect((try? count(database)) == 0) } }
      }
      await database.close()
    }
  }

  @Test func `the log is limited in size and deleted on close`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(path: path, migrator: migrator())
      let bytes = Bytes([UInt8](repeating: 3, count: 4 << 20))
      for _ in 0..<24 {
        try await database.writer.transaction { db in
          try db.run("INSERT OR REPLACE INTO things (id, bytes) VALUES (1, ?)", bytes)
        }
      }
      let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
      #expect(try #require(log) < 48 << 20)
      await database.close()
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
  }

  @Test func `a closed database rejects writes`() async throws {
    try await withDatabase { database in
      await database.close()
      await #expect(throws: DatabaseError.self) {
        try await database.writer.transaction { db in try db.run("SELECT 1") }
      }
    }
  }
}

private func count(_ database: SQLiteDatabase) throws -> Int? {
  try database.readers.blockingRead { db in
    try db.value("SELECT count(*) FROM things")
  }
}
