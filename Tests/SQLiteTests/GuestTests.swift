import Foundation
import Metrics
import Testing

@testable import SQLite

/// A connection that writes beside the owner's.
struct GuestTests {
  @Test func `a guest and the owner write at once, and nothing is lost`() async throws {
    try await withScratchFile { path in
      let migrator = Migrator(
        applicationID: 7,
        migrations: [
          Migration(name: "one", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text)")
        ])
      let owner = try Database(path: path, migrator: migrator)
      let guest = try Database(guestAt: path, migrator: migrator)
      let text = String(repeating: "x", count: 500_000)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in [owner.writer, guest.writer] {
          group.addTask {
            for _ in 0..<100 {
              try await writer.transaction { db throws(SQLiteError) in
                try db.run("INSERT INTO notes (text) VALUES (?)", text)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      // The log went round: the owner checkpointed between the guest's writes.
      #expect(owner.writer.meter.checkpointSeconds.count > 0)
      #expect(guest.writer.meter.checkpointSeconds.count == 0)
      let count = try guest.readers.read { db throws(SQLiteError) in
        try db.first("SELECT count(*) FROM notes") { row throws(SQLiteError) in try row[0] as Int }
      }
      #expect(count == 200)
      await guest.close()
      await owner.close()
      let again = try Database(path: path, migrator: migrator)
      let kept = try again.readers.read { db throws(SQLiteError) in
        try db.first("SELECT count(*) FROM notes") { row throws(SQLiteError) in try row[0] as Int }
      }
      #expect(kept == 200)
      await again.close()
    }
  }

  @Test func `a checkpoint is put off while a guest writes, and waits for nobody`() async throws {
    try await withScratchFile { path in
      let migrator = Migrator(
        applicationID: 7,
        migrations: [
          Migration(name: "one", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text)")
        ])
      let owner = try Database(path: path, migrator: migrator)
      func fill() async throws {
        let text = String(repeating: "x", count: WALState.checkpointBytes)
        try await owner.writer.transaction { db throws(SQLiteError) in
          try db.run("INSERT INTO notes (text) VALUES (?)", text)
        }
        // Behind whatever followed the commit.
        try await owner.writer.transaction { db throws(SQLiteError) in
          try db.run("DELETE FROM notes WHERE id = -1")
        }
      }
      let visitor = try CheckpointGate(besides: path)
      let entered = DispatchSemaphore(value: 0), leave = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        visitor.pass {
          entered.signal()
          leave.wait()
        }
        entered.signal()
      }
      entered.wait()
      try await fill()
      #expect(owner.writer.meter.checkpointSeconds.count == 0)
      leave.signal()
      entered.wait()
      try await fill()
      #expect(owner.writer.meter.checkpointSeconds.count > 0)
      await owner.close()
    }
  }

  @Test func `a guest takes a file only as it ought to be`() async throws {
    try await withScratchFile { path in
      let first = Migration(name: "one", sql: "CREATE TABLE notes (text)")
      let second = Migration(name: "two", sql: "CREATE TABLE more (text)")
      await (try Database(path: path, migrator: Migrator(applicationID: 7, migrations: [first])))
        .close()
      #expect(throws: MigrationError.outdated(found: 1, known: 2)) {
        try Database(
          guestAt: path, migrator: Migrator(applicationID: 7, migrations: [first, second]))
      }
      #expect(throws: MigrationError.foreign) {
        try Database(guestAt: path, migrator: Migrator(applicationID: 8, migrations: [first]))
      }
    }
  }
}
