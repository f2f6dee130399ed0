import Bytes
import Eventually
import SQL
import Support
import Synchronization
import Testing

@testable import PostgreSQL

private struct Stop: Error {}

@Suite struct PostgreSQLTests {
  @Test func `values come back as they were`() async throws {
    try await withDatabase { database, _ in
      let large = Bytes([UInt8](repeating: 7, count: 3_000_000))
      let number = try await database.writer.transaction { db in
        try db.run(
          "INSERT INTO files (name, bytes, size, is_open) VALUES (?, ?, ?, ?)", "é 🐈", [UInt8](),
          -0.5, false)
        return try db.insert(
          "INSERT INTO files (name, bytes, size, is_open) VALUES (?, ?, ?, ?) RETURNING seq",
          nil as String?, large, nil as Double?, true)
      }
      #expect(number == 2)
      let rows = try await database.readers.read { db in
        try db.all("SELECT name, bytes, size, is_open, seq FROM files ORDER BY seq") { row in
          let name: String? = try row.next()
          let bytes: Bytes = try row.next()
          let size: Double? = try row.next()
          let isOpen: Bool = try row.next()
          return "\(name ?? "-") \(bytes.count) \(size ?? 0) \(isOpen) \(try row.next() as Int)"
        }
      }
      #expect(rows == ["é 🐈 0 -0.5 false 1", "- 3000000 0.0 true 2"])
      let read = try await database.readers.read { db in
        try db.blob(table: "files", column: "bytes", row: number)
      }
      #expect(read == large)
    }
  }

  @Test func `a transaction that throws leaves nothing, and the connection stays usable`()
    async throws
  {
    try await withDatabase(connections: 1) { database, _ in
      do {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO files (name) VALUES (?)", "a")
          throw Stop()
        }
      } catch is Stop {}
      #expect(try await files(in: database) == 0)
    }
  }

  @Test func `a failure that the body catches fails the transaction`() async throws {
    try await withDatabase { database, _ in
      try await database.writer.transaction { db in
        try db.run("INSERT INTO files (name) VALUES (?)", "a")
      }
      do {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO files (name) VALUES (?)", "b")
          do { try db.run("INSERT INTO files (name) VALUES (?)", "a") } catch {}
        }
        Issue.record("committed")
      } catch let error as DatabaseError {
        #expect(error.code == .constraint)
        #expect(error.engineCode == "PostgreSQL error 23505")
      }
      #expect(try await files(in: database) == 1)
    }
  }

  @Test(
    arguments: [
      ("SELECT current_user", DatabaseError.Code.mismatch),
      ("SELECT sum(seq) FROM files", .mismatch),
      ("SELEC", .other), ("SELECT ?", .range), ("SELECT 1 / 0", .mismatch),
    ])
  func `a wrong statement fails`(_ sql: String, _ code: DatabaseError.Code) async throws {
    try await withDatabase { database, _ in
      do {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO files DEFAULT VALUES")
          _ = try db.run(sql)
        }
        Issue.record("no error")
      } catch let error as DatabaseError { #expect(error.code == code, "\(error)") }
    }
  }

  @Test func `reads cannot write`() async throws {
    try await withDatabase { database, _ in
      do {
        try await database.readers.read { db in _ = try db.run("DELETE FROM files") }
        Issue.record("no error")
      } catch let error as DatabaseError { #expect(error.code == .misuse) }
    }
  }

  @Test func `nothing is left of a read that failed`() async throws {
    try await withDatabase(connections: 1) { database, _ in
      for catches in [false, true] {
        do {
          try await database.readers.read { db in
            _ = try db.count("files")
            do { _ = try db.first("SELECT 1 / (SELECT 0)") { row in try row.next() as Int } } catch
            {
              guard catches else { throw error }
            }
            _ = try db.count("files")
          }
          Issue.record("no error")
        } catch let error as DatabaseError { #expect(error.code == .mismatch, "\(error)") }
        // A write and a read on the same connection, the latter with the statement that failed.
        try await database.writer.transaction { db in
          try db.run("INSERT INTO files DEFAULT VALUES")
        }
        do {
          try await database.readers.read { db in
            _ = try db.first("SELECT 1 / (SELECT 0)") { row in try row.next() as Int }
          }
          Issue.record("no error")
        } catch let error as DatabaseError { #expect(error.code == .mismatch, "\(error)") }
      }
      #expect(try await files(in: database) == 2)
    }
  }

  @Test func `a write on a connection that may only read runs again on a new one`() async throws {
    try await withDatabase(connections: 1) { database, _ in
      // As a reloaded configuration does, or the end of a primary.
      try await database.writer.transaction { db in
        _ = try db.first("SELECT set_config('default_transaction_read_only', 'on', FALSE)") {
          row in try row.next() as String
        }
      }
      let runs = Mutex(0)
      try await database.writer.transaction { db in
        runs.withLock { $0 += 1 }
        try db.run("INSERT INTO files DEFAULT VALUES")
      }
      #expect(runs.withLock(\.self) == 2)
      #expect(try await files(in: database) == 1)
    }
  }

  @Test func `a body runs again if a row to which it refers was deleted after it was read`()
    async throws
  {
    try await withDatabase { database, _ in
      try run("CREATE TABLE parts (file bigint NOT NULL REFERENCES files (seq))", in: database)
      let number = try await database.writer.transaction { db in
        try db.insert("INSERT INTO files (name) VALUES (?) RETURNING seq", "a")
      }
      let runs = Mutex(0)
      do {
        try await database.writer.transaction { db in
          runs.withLock { $0 += 1 }
          guard try db.count("files") == 1 else { throw Stop() }
          try run("DELETE FROM files", in: database)
          try db.run("INSERT INTO parts (file) VALUES (?)", number)
        }
        Issue.record("committed")
      } catch is Stop {}
      #expect(runs.withLock(\.self) == 2)
    }
  }

  @Test func `a read sees one state`() async throws {
    try await withDatabase { database, _ in
      let (before, after) = try database.readers.blockingRead { db in
        let before = try db.count("files")
        try run("INSERT INTO files DEFAULT VALUES", in: database)
        return (before, try db.count("files"))
      }
      #expect(before == 0)
      #expect(after == 0)
    }
  }

  @Test func `queries end when their time is over`() async throws {
    try await withDatabase { database, _ in
      do {
        try await database.readers.read { db in
          try db.within(.milliseconds(50)) {
            _ = try db.first("SELECT pg_sleep(20) IS NULL") { row in try row.next() as Bool }
          }
        }
        Issue.record("no error")
      } catch let error as DatabaseError { #expect(error.code == .interrupted) }
      // The next statement has the usual time again.
      let isLeft = try await database.readers.read { db in
        _ = try db.within(.seconds(1)) { try db.count("files") }
        return try db.first("SELECT current_setting('statement_timeout')") { row in
          try row.next() as String
        }
      }
      #expect(isLeft == "5s")
    }
  }

  @Test func `a transaction runs again on a new connection if the server ended its own`()
    async throws
  {
    try await withDatabase(connections: 1) { database, _ in
      try await database.writer.transaction { db in _ = try db.count("files") }
      try end(all: database)
      try await database.writer.transaction { db in
        try db.run("INSERT INTO files (name) VALUES (?)", "a")
      }
      #expect(try await files(in: database) == 1)
    }
  }

  @Test func `a server that does not answer keeps no thread`() async throws {
    try await withDatabase { _, address in
      let connection = try address.connect(statementTimeout: .seconds(60))
      #expect(try connection.script("SELECT 1; SELECT 2") == "2")
      #expect(throws: ServerFailure.self) { try connection.script("SELECT 1; SELECT x; SELECT 3") }
      #expect(!connection.isBroken)
      #expect(throws: ServerFailure.self) {
        try connection.script("SELECT pg_sleep(20)", within: .milliseconds(50))
      }
      #expect(connection.isBroken)
    }
  }

  @Test func `a commit waits for the disk, whatever the server has as a default`() async throws {
    #expect(try PostgreSQLServer.shared().run("SHOW synchronous_commit") == "off\n")
    try await withDatabase { database, _ in
      let chosen: String? = try await database.readers.read { db in
        try db.value("SELECT current_setting('synchronous_commit')")
      }
      #expect(chosen == "on")
    }
  }

  @Test func `writes of many callers are all kept`() async throws {
    try await withDatabase { database, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<24 {
          group.addTask {
            _ = try await database.writer.transaction { db in
              try db.run("INSERT INTO files (name) VALUES (?)", "\(number)")
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await files(in: database) == 24)
    }
  }

  @Test func `a deadlock ends with both writes`() async throws {
    try await withDatabase { database, _ in
      try await database.writer.transaction { db in
        try db.run("INSERT INTO files (name) VALUES ('a'), ('b')")
      }
      async let one: Void = update("a", "b", in: database)
      async let other: Void = update("b", "a", in: database)
      try await one
      try await other
      let sum: Double? = try await database.readers.read { db in
        try db.value("SELECT CAST(sum(size) AS double precision) FROM files")
      }
      #expect(sum == 4)
    }
  }

  @Test func `a rewrite reaches the log of the database`() async throws {
    try await withDatabase { database, _ in
      try await database.writer.transaction { db in try db.rewrite() }
    }
  }

  @Test(
    arguments: [
      ("postgres://h/d", nil as String?, true), ("postgres://h/d?sslmode=require", "require", true),
      ("postgres://h/d?sslmode=verify-full", nil, true), ("postgres://127.0.0.1/d", nil, true),
      ("postgres:///d?host=/run/postgresql&sslmode=disable", nil, true),
      ("mysql://h/d", nil, false), ("postgres://h/d?nothing=1", nil, false),
    ])
  func `a weak encryption is told`(_ uri: String, _ mode: String?, _ isValid: Bool) {
    do {
      let address = try ServerAddress(uri, environment: [:])
      #expect(isValid)
      #expect(
        address.warning.map { $0.contains("sslmode=\(mode ?? "?")") } == mode.map { _ in true })
    } catch { #expect(!isValid) }
  }
}

private func update(_ first: String, _ second: String, in database: PostgreSQLDatabase) async throws
{
  try await database.writer.transaction { db in
    for name in [first, second] {
      try db.run("UPDATE files SET size = coalesce(size, 0) + 1 WHERE name = ?", name)
      _ = try db.first("SELECT pg_sleep(0.05) IS NULL") { row in try row.next() as Bool }
    }
  }
}

/// Ends all connections to the database but one of its own.
private func end(all database: PostgreSQLDatabase) throws {
  try run(
    """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    """, in: database)
}
