import Bytes
import SQL
import SQLite
import Testing

@Suite struct StatementTests {
  @Test func `values of every kind survive a round trip`() async throws {
    try await withDatabase { database in
      try await database.writer.transaction { db in
        try db.run(
          "INSERT INTO things VALUES (1, ?, ?, ?, ?, NULL)",
          Int64.min, -0.25, "NUL \0 and 🐈", Bytes([0, 255, 0]))
        try db.run("INSERT INTO things VALUES (2, ?, ?, ?, ?, NULL)", nil as Int?, 0.0, "", Bytes())
      }
      try database.readers.blockingRead { db in
        let select = "SELECT number, fraction, text, bytes FROM things WHERE id = ?"
        let full = try db.first(select, 1) { row throws in
          #expect(try row[0] as Int64 == .min)
          #expect(try row[1] as Double == -0.25)
          #expect(try row[2] as String == "NUL \0 and 🐈")
          #expect(try row[3] as Bytes == Bytes([0, 255, 0]))
          return true
        }
        let empty = try db.first(select, 2) { row throws in
          #expect(try row[0] as Int? == nil)
          #expect(try row[2] as String == "")
          #expect(try row[3] as Bytes == Bytes())
          return true
        }
        #expect(full == true && empty == true)
        #expect(try db.blob(table: "things", column: "bytes", row: 2).isEmpty)
      }
    }
  }

  @Test(arguments: [0, 1, 8000, 16_384, 5_000_000])
  func `blobs of every size survive a round trip`(count: Int) async throws {
    try await withDatabase { database in
      let content = Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      let row = try await database.writer.transaction { db in
        try db.insert("INSERT INTO things (bytes) VALUES (?) RETURNING rowid", content)
      }
      try database.readers.blockingRead { db in
        #expect(try db.blob(table: "things", column: "bytes", row: row) == content)
        let read: Bytes? = try db.value("SELECT bytes FROM things WHERE id = ?", row)
        #expect(read == content)
      }
    }
  }

  @Test func `a column of another type is an error, never a conversion`() async throws {
    try await withDatabase { database in
      try database.readers.blockingRead { db in
        try expect(.mismatch, db, "SELECT 'one'") { row in try row[0] as Int }
        try expect(.mismatch, db, "SELECT 1") { row in try row[0] as String }
        try expect(.mismatch, db, "SELECT 1") { row in try row[0] as Double }
        try expect(.mismatch, db, "SELECT 2") { row in try row[0] as Bool }
        try expect(.mismatch, db, "SELECT 'one'") { row in try row[0] as Bytes }
        try expect(.mismatch, db, "SELECT NULL") { row in try row[0] as Int64 }
        // A single invalid byte, and sequences that keep their length when they are repaired.
        for invalid in ["FF", "61FF", "F09080", "EDA080"] {
          try expect(.mismatch, db, "SELECT CAST(x'\(invalid)' AS TEXT)") {
            row in
            try row[0] as String
          }
        }
        try expect(.mismatch, db, "SELECT 'one'") { row in
          try row.nextBytes { $0.count }
        }
        try expect(.range, db, "SELECT x''") { row in
          try row.skip(1)
          return try row.nextBytes { $0.count }
        }
        try expect(.range, db, "SELECT 1") { row in try row[1] as Int }
        try expect(.range, db, "SELECT 1") { row in try row[-1] as Int }
      }
    }
  }

  @Test func `bytes are lent as stored, and a stored U+FFFD is accepted`() async throws {
    try await withDatabase { database in
      try database.readers.blockingRead { db in
        let select = "SELECT x'00FF00', x'', CAST(x'EFBFBD' AS TEXT)"
        let read = try db.first(select) { row in
          (
            full: try row.nextBytes { Array($0) }, empty: try row.nextBytes { Array($0) },
            text: try row.next() as String
          )
        }
        #expect(read?.full == [0, 255, 0])
        #expect(read?.empty == [])
        #expect(read?.text == "\u{FFFD}")
      }
    }
  }

  @Test(arguments: ["SELECT ?", "SELECT 1; SELECT 2", "SELECT", ""])
  func `anything but one statement with all its values is an error`(sql: String) async throws {
    try await withDatabase { database in
      #expect(throws: DatabaseError.self) {
        try database.readers.blockingRead { db in try db.run(sql) }
      }
    }
  }

  @Test func `a statement can be used within its own rows`() async throws {
    try await withDatabase { database in
      let count = try database.readers.blockingRead { db in
        let sql = "SELECT value FROM (SELECT 1 AS value UNION SELECT 2)"
        var pairs: [[Int]] = []
        for outer in try db.all(sql, decode: { row in try row[0] as Int }) {
          pairs += try db.all(sql) { row in
            [outer, try row[0], try db.first(sql) { row in try row[0] } ?? 0]
          }
        }
        return pairs
      }
      #expect(count == [[1, 1, 1], [1, 2, 1], [2, 1, 1], [2, 2, 1]])
    }
  }

  @Test func `errors carry primary and extended codes`() async throws {
    try await withDatabase { database in
      let error = await #expect(throws: DatabaseError.self) {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO things (id) VALUES (1), (1)")
        }
      }
      #expect(error?.code == .constraint)
      #expect(error?.engineCode == "SQLite error 1555")  // SQLITE_CONSTRAINT_PRIMARYKEY
      #expect(error?.message.contains("things.id") == true)
    }
  }

  private func expect<Value>(
    _ code: DatabaseError.Code, _ db: borrowing Transaction, _ sql: String,
    decode: (inout Row) throws -> Value
  ) throws {
    do {
      _ = try db.first(sql, decode: decode)
      Issue.record("\(sql) was decoded.")
    } catch {
      #expect((error as? DatabaseError)?.code == code)
    }
  }
}
