import Foundation
import Metrics
import SQL
import SQLite
import Synchronization
import Testing

@Suite struct SharedCommitTests {
  private struct Refusal: Error, Equatable {
    let seen: Int?
  }

  /// Records events in order.
  private final class Diary: Sendable {
    private let notes = Mutex<[String]>([])
    var all: [String] { notes.withLock { $0 } }
    func note(_ text: String) { notes.withLock { $0.append(text) } }
  }

  private static let count = "SELECT count(*) FROM things"

  /// Passes `body` a database with a blocked writer. Only the given limits restrict which transactions share a commit.
  private func withGate(
    transactions: Int = 1000, bytes: Int = 1 << 20,
    _ body: (SQLiteDatabase, Gate) async throws -> Void
  ) async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(
        path: path, migrator: migrator(),
        commits: CommitSettings(transactions: transactions, bytes: bytes, duration: .seconds(600)))
      try await body(database, await Gate(database.writer))
      await database.close()
    }
  }

  /// Returns the number of commits and of transactions during `body`.
  private func commits(
    of database: SQLiteDatabase, _ body: () async throws -> Void
  ) async rethrows -> (commits: Int, transactions: Int) {
    let meter = database.writer.meter
    let before = (meter.commitSeconds.count, meter.transactions.value)
    try await body()
    return (meter.commitSeconds.count - before.0, meter.transactions.value - before.1)
  }

  private func numbers(in database: SQLiteDatabase) throws -> [Int] {
    try database.readers.blockingRead { db in
      try db.column("SELECT number FROM things ORDER BY id")
    }
  }

  private func insert(_ number: Int, in database: SQLiteDatabase, bytes: Int = 0) async throws {
    try await database.writer.transaction(bytes: bytes) { db in
      try db.run("INSERT INTO things (number) VALUES (?)", number)
    }
  }

  @Test(arguments: [(1000, 1), (16, 4), (1, 64)])
  func `waiting transactions share commits and run in order`(
    limit: Int, expected: Int
  ) async throws {
    try await withGate(transactions: limit) { database, gate in
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<64 {
        tasks.append(try await gate.behind { try await insert(number, in: database) })
      }
      let made = try await commits(of: database) {
        try await gate.open()
        for task in tasks { try await task.value }
      }
      // One commit is the gate's.
      #expect(made == (expected + 1, 65))
      #expect(try numbers(in: database) == Array(0..<64))
    }
  }

  @Test func `transactions that write much share a commit with few others`() async throws {
    try await withGate(bytes: 100) { database, gate in
      var tasks: [Task<Void, any Error>] = []
      for (number, bytes) in [0, 60, 40, 1, 0, 500, 0, 99].enumerated() {
        tasks.append(try await gate.behind { try await insert(number, in: database, bytes: bytes) })
      }
      let made = try await commits(of: database) {
        try await gate.open()
        for task in tasks { try await task.value }
      }
      // The gate, then 0 60 40, then 1 0, then 500, then 0 99.
      #expect(made == (5, 9))
      #expect(try numbers(in: database) == Array(0..<8))
    }
  }

  @Test func `a slow transaction does not share its commit`() async throws {
    try await withScratchFile { path in
      let database = try SQLiteDatabase(
        path: path, migrator: migrator(),
        commits: CommitSettings(transactions: 1000, bytes: 1000, duration: .zero))
      let gate = await Gate(database.writer)
      let first = try await gate.behind { try await insert(0, in: database) }
      let second = try await gate.behind { try await insert(1, in: database) }
      let made = try await commits(of: database) {
        try await gate.open()
        try await first.value
        try await second.value
      }
      #expect(made == (3, 3))
      await database.close()
    }
  }

  @Test(arguments: 0..<3)
  func `a transaction that throws rolls back only its own work`(place: Int) async throws {
    try await withGate { database, gate in
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<3 {
        tasks.append(
          try await gate.behind {
            try await database.writer.transaction { db in
              try db.run("INSERT INTO things (number) VALUES (?)", number)
              try db.run("UPDATE things SET text = text || ?", "\(number)")
              guard number == place else { return }
              throw Refusal(seen: try db.first(Self.count) { row in try row[0] })
            }
          })
      }
      let made = try await commits(of: database) {
        try await gate.open()
        for (number, task) in tasks.enumerated() {
          switch await task.result {
          case .success: #expect(number != place)
          // The earlier rows and its own.
          case .failure(let error): #expect((error as? Refusal)?.seen == place + 1)
          }
        }
      }
      #expect(made == (2, 3))
      #expect(try numbers(in: database) == (0..<3).filter { $0 != place })
    }
  }

  @Test func `whenDurable runs in order, after the commit and before any caller returns`()
    async throws
  {
    try await withGate { database, gate in
      let diary = Diary()
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<4 {
        tasks.append(
          try await gate.behind {
            _ = try? await database.writer.transaction(
              whenDurable: { (value: Int) in
                let stored = try? self.numbers(in: database).count
                diary.note("durable \(value), stored \(stored ?? -1)")
                // Time in which a caller that returns too early would record it.
                Thread.sleep(forTimeInterval: 0.02)
              },
              { db in
                diary.note("run \(number)")
                try db.run("INSERT INTO things (number) VALUES (?)", number)
                if number == 2 { throw Refusal(seen: nil) }
                return number
              })
            diary.note("answer")
          })
      }
      try await gate.open()
      for task in tasks { try await task.value }
      #expect(
        diary.all == [
          "run 0", "run 1", "run 2", "run 3", "durable 0, stored 3", "durable 1, stored 3",
          "durable 3, stored 3", "answer", "answer", "answer", "answer",
        ])
    }
  }

  /// Ways in which one transaction of a group fails so that the work of the others is lost with it.
  enum Loss: CaseIterable {
    /// The commit fails.
    case atCommit
    /// SQLite itself rolls back the transaction, as on a full disk.
    case thrown
    /// The same, but the transaction does not throw.
    case unnoticed
  }

  @Test(arguments: Loss.allCases, 0..<3)
  func `transactions lost together are retried one by one`(loss: Loss, place: Int) async throws {
    try await withGate { database, gate in
      let diary = Diary()
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<3 {
        tasks.append(
          try await gate.behind {
            try await database.writer.transaction(
              whenDurable: { diary.note("durable \(number)") },
              { db in
                try db.run("INSERT INTO things (number) VALUES (?)", number)
                guard number == place else { return }
                switch loss {
                case .atCommit:
                  try db.run("PRAGMA defer_foreign_keys = ON")
                  try db.run("INSERT INTO things (parent) VALUES (99)")
                case .thrown:
                  try db.run("ROLLBACK")
                  throw Refusal(seen: nil)
                case .unnoticed:
                  try db.run("ROLLBACK")
                }
              })
          })
      }
      // `nil` for an error that is not SQLite's.
      let expected: DatabaseError.Code? =
        switch loss {
        case .atCommit: .constraint
        case .thrown: nil
        case .unnoticed: .other
        }
      let made = try await commits(of: database) {
        try await gate.open()
        for (number, task) in tasks.enumerated() {
          switch await task.result {
          case .success: #expect(number != place)
          case .failure(let error):
            #expect(number == place)
            #expect((error as? DatabaseError)?.code == expected)
            #expect(error is Refusal == (loss == .thrown))
          }
        }
      }
      // Each transaction runs alone. Only one that comes first and throws has lost no work of the others.
      #expect(made == (place == 0 && loss == .thrown ? 2 : 3, 3))
      let others = (0..<3).filter { $0 != place }
      #expect(try numbers(in: database) == others)
      #expect(diary.all == others.map { "durable \($0)" })
    }
  }

  @Test func `a transaction that finds the disk full does not fail the others`() async throws {
    try await withGate { database, gate in
      let limit = try await gate.behind {
        try await database.writer.transaction { db in
          _ = try db.first("PRAGMA max_page_count = 20") { _ in true }
        }
      }
      let before = try await gate.behind { try await insert(0, in: database) }
      let large = try await gate.behind {
        try await database.writer.transaction { db in
          try db.run("INSERT INTO things (bytes) VALUES (?)", [UInt8](repeating: 1, count: 1 << 20))
        }
      }
      let after = try await gate.behind { try await insert(1, in: database) }
      try await gate.open()
      try await limit.value
      try await before.value
      let error = await #expect(throws: DatabaseError.self) { try await large.value }
      #expect(error?.code == .full)
      try await after.value
      #expect(try numbers(in: database) == [0, 1])
    }
  }

  @Test func `closing completes waiting transactions and rejects later ones`() async throws {
    try await withGate { database, gate in
      let first = try await gate.behind { try await insert(0, in: database) }
      let second = try await gate.behind { try await insert(1, in: database) }
      let closing = Task { await database.close() }
      // Until the database closes, they wait with the others. Then they are rejected while the others still wait.
      let diary = Diary()
      var late: [Task<Void, Never>] = []
      while !diary.all.contains("refused") {
        late.append(
          Task {
            do {
              try await insert(2, in: database)
              diary.note("done")
            } catch { diary.note("refused") }
          })
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(!diary.all.contains("done"))
      let made = try await commits(of: database) {
        try await gate.open()
        try await first.value
        try await second.value
        for task in late { await task.value }
        await closing.value
      }
      #expect(made.transactions == 3 + diary.all.count { $0 == "done" })
      await #expect(throws: DatabaseError.self) { try await insert(8, in: database) }
    }
  }
}
