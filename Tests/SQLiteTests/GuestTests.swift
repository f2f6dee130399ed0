import Foundation
import Metrics
import Testing

@testable import SQL
@testable import SQLite

/// A secondary writer, which writes at the same time as the primary.
struct GuestTests {
  @Test func `primary and secondary write at the same time, and nothing is lost`() async throws {
    try await withScratchFile { path in
      let migrator = Migrator(
        applicationID: 7,
        migrations: [
          Migration(name: "one", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text)")
        ])
      let owner = try SQLiteDatabase(path: path, migrator: migrator)
      let guest = try SQLiteDatabase(secondaryAt: path, migrator: migrator)
      let (rounds, notes) = (3, 30)
      for _ in 0..<rounds {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for writer in [owner.writer, guest.writer] {
            group.addTask { for _ in 0..<notes { try await write(to: writer, bytes: 200_000) } }
          }
          try await group.waitForAll()
        }
        // While both write, the secondary may hold the gate whenever the primary checks it. It is finished by now.
        try await write(to: owner.writer, bytes: WALState.checkpointBytes)
        try await write(to: owner.writer, bytes: 1)
      }
      // The log wrapped around: the primary made checkpoints between the writes of the secondary.
      #expect(owner.writer.meter.checkpointSeconds.count >= rounds)
      #expect(guest.writer.meter.checkpointSeconds.count == 0)
      let written = rounds * (2 * notes + 2)
      #expect(try countOfNotes(guest) == written)
      await guest.close()
      await owner.close()
      let again = try SQLiteDatabase(path: path, migrator: migrator)
      #expect(try countOfNotes(again) == written)
      await again.close()
    }
  }

  private func write(to writer: SQLiteWriter, bytes count: Int) async throws {
    let text = String.filled("x", count)
    try await writer.transaction { db in
      try db.run("INSERT INTO notes (text) VALUES (?)", text)
    }
  }

  private func countOfNotes(_ database: SQLiteDatabase) throws -> Int? {
    try database.readers.blockingRead { db in
      try db.value("SELECT count(*) FROM notes")
    }
  }

  @Test func `a checkpoint is postponed while a secondary writes, without blocking`() async throws {
    try await withScratchFile { path in
      let migrator = Migrator(
        applicationID: 7,
        migrations: [
          Migration(name: "one", sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text)")
        ])
      let owner = try SQLiteDatabase(path: path, migrator: migrator)
      func fill() async throws {
        let text = String(repeating: "x", count: WALState.checkpointBytes)
        try await owner.writer.transaction { db in
          try db.run("INSERT INTO notes (text) VALUES (?)", text)
        }
        // Runs after the work that follows the commit.
        try await owner.writer.transaction { db in
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

  @Test func `a secondary rejects outdated and foreign databases`() async throws {
    try await withScratchFile { path in
      let first = Migration(name: "one", sql: "CREATE TABLE notes (text)")
      let second = Migration(name: "two", sql: "CREATE TABLE more (text)")
      await
        (try SQLiteDatabase(path: path, migrator: Migrator(applicationID: 7, migrations: [first])))
        .close()
      #expect(throws: MigrationError.outdated(found: 1, known: 2)) {
        try SQLiteDatabase(
          secondaryAt: path, migrator: Migrator(applicationID: 7, migrations: [first, second]))
      }
      #expect(throws: MigrationError.foreign) {
        try SQLiteDatabase(
          secondaryAt: path, migrator: Migrator(applicationID: 8, migrations: [first]))
      }
    }
  }
}
