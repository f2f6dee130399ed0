import Foundation
import Metrics
import SQLite
import Synchronization
import Testing

@Suite struct SharedCommitTests {
  private enum Refusal: SQLiteFailure, Equatable {
    case saw(Int?)
    case store(SQLiteError.Code)

    init(_ error: SQLiteError) { self = .store(error.code) }
  }

  /// What happened, in order.
  private final class Diary: Sendable {
    private let notes = Mutex<[String]>([])
    var all: [String] { notes.withLock { $0 } }
    func note(_ text: String) { notes.withLock { $0.append(text) } }
  }

  private static let count = "SELECT count(*) FROM things"

  /// A database whose writer is held up, and nothing but `limits` keeps transactions from sharing a commit.
  private func withGate(
    transactions: Int = 1000, bytes: Int = 1 << 20,
    _ body: (Database, Gate) async throws -> Void
  ) async throws {
    try await withScratchFile { path in
      let database = try Database(
        path: path, migrator: migrator(),
        commits: CommitLimits(transactions: transactions, bytes: bytes, duration: .seconds(600)))
      try await body(database, await Gate(database.writer))
      await database.close()
    }
  }

  /// How many commits there were while `body` ran, and how many transactions.
  private func commits(
    of database: Database, _ body: () async throws -> Void
  ) async rethrows -> (commits: Int, transactions: Int) {
    let meter = database.writer.meter
    let before = (meter.commitSeconds.count, meter.transactions.value)
    try await body()
    return (meter.commitSeconds.count - before.0, meter.transactions.value - before.1)
  }

  private func numbers(in database: Database) throws -> [Int] {
    try database.readers.read { db throws(SQLiteError) in
      try db.all("SELECT number FROM things ORDER BY id") { row throws(SQLiteError) in try row[0] }
    }
  }

  private func insert(_ number: Int, in database: Database, bytes: Int = 0) async throws {
    try await database.writer.transaction(bytes: bytes) { db throws(SQLiteError) in
      try db.run("INSERT INTO things (number) VALUES (?)", number)
    }
  }

  @Test(arguments: [(1000, 1), (16, 4), (1, 64)])
  func `what waits together shares commits, and happens in the order of asking`(
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
      // One of them is the gate's.
      #expect(made == (expected + 1, 65))
      #expect(try numbers(in: database) == Array(0..<64))
    }
  }

  @Test func `who writes much shares with few`() async throws {
    try await withGate(bytes: 100) { database, gate in
      var tasks: [Task<Void, any Error>] = []
      for (number, bytes) in [0, 60, 40, 1, 0, 500, 0, 99].enumerated() {
        tasks.append(try await gate.behind { try await insert(number, in: database, bytes: bytes) })
      }
      let made = try await commits(of: database) {
        try await gate.open()
        for task in tasks { try await task.value }
      }
      // The gate; 0 60 40; 1 0; 500; 0 99.
      #expect(made == (5, 9))
      #expect(try numbers(in: database) == Array(0..<8))
    }
  }

  @Test func `what takes long lets nobody share`() async throws {
    try await withScratchFile { path in
      let database = try Database(
        path: path, migrator: migrator(),
        commits: CommitLimits(transactions: 1000, bytes: 1000, duration: .zero))
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
  func `one that throws takes back its own work and nobody else's`(place: Int) async throws {
    try await withGate { database, gate in
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<3 {
        tasks.append(
          try await gate.behind {
            try await database.writer.transaction { db throws(Refusal) in
              try db.run("INSERT INTO things (number) VALUES (?)", number)
              try db.run("UPDATE things SET text = text || ?", "\(number)")
              guard number == place else { return }
              throw .saw(try db.first(Self.count) { row throws(SQLiteError) in try row[0] })
            }
          })
      }
      let made = try await commits(of: database) {
        try await gate.open()
        for (number, task) in tasks.enumerated() {
          switch await task.result {
          case .success: #expect(number != place)
          // Those before it, and its own.
          case .failure(let error): #expect(error as? Refusal == .saw(place + 1))
          }
        }
      }
      #expect(made == (2, 3))
      #expect(try numbers(in: database) == (0..<3).filter { $0 != place })
    }
  }

  @Test func `all is durable before anybody is told, and told in order before anybody is answered`()
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
                // Time for a caller who is answered too early to say so.
                Thread.sleep(forTimeInterval: 0.02)
              },
              { db throws(Refusal) in
                diary.note("run \(number)")
                try db.run("INSERT INTO things (number) VALUES (?)", number)
                if number == 2 { throw .saw(nil) }
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

  /// What makes one of a group fail so that the others' work is lost with it.
  enum Loss: CaseIterable {
    /// The commit fails.
    case atCommit
    /// SQLite ends the transaction by itself, as where the disk is full.
    case thrown
    /// The same, and nobody notices.
    case unnoticed
  }

  @Test(arguments: Loss.allCases, 0..<3)
  func `what is lost together is tried again one by one`(loss: Loss, place: Int) async throws {
    try await withGate { database, gate in
      let diary = Diary()
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<3 {
        tasks.append(
          try await gate.behind {
            try await database.writer.transaction(
              whenDurable: { diary.note("durable \(number)") },
              { db throws(Refusal) in
                try db.run("INSERT INTO things (number) VALUES (?)", number)
                guard number == place else { return }
                switch loss {
                case .atCommit:
                  try db.run("PRAGMA defer_foreign_keys = ON")
                  try db.run("INSERT INTO things (parent) VALUES (99)")
                case .thrown:
                  try db.run("ROLLBACK")
                  throw .saw(nil)
                case .unnoticed:
                  try db.run("ROLLBACK")
                }
              })
          })
      }
      let expected: Refusal =
        switch loss {
        case .atCommit: .store(.constraint)
        case .thrown: .saw(nil)
        case .unnoticed: .store(.error)
        }
      let made = try await commits(of: database) {
        try await gate.open()
        for (number, task) in tasks.enumerated() {
          switch await task.result {
          case .success: #expect(number != place)
          case .failure(let error):
            #expect(number == place)
            #expect(error as? Refusal == expected)
          }
        }
      }
      // Each alone; only who has a place before the others and throws has lost nothing of theirs.
      #expect(made == (place == 0 && loss == .thrown ? 2 : 3, 3))
      let others = (0..<3).filter { $0 != place }
      #expect(try numbers(in: database) == others)
      #expect(diary.all == others.map { "durable \($0)" })
    }
  }

  @Test func `one that finds the disk full takes nobody along`() async throws {
    try await withGate { database, gate in
      let limit = try await gate.behind {
        try await database.writer.transaction { db throws(SQLiteError) in
          _ = try db.first("PRAGMA max_page_count = 20") { _ in true }
        }
      }
      let before = try await gate.behind { try await insert(0, in: database) }
      let large = try await gate.behind {
        try await database.writer.transaction { db throws(SQLiteError) in
          try db.run("INSERT INTO things (bytes) VALUES (?)", [UInt8](repeating: 1, count: 1 << 20))
        }
      }
      let after = try await gate.behind { try await insert(1, in: database) }
      try await gate.open()
      try await limit.value
      try await before.value
      let error = await #expect(throws: SQLiteError.self) { try await large.value }
      #expect(error?.code == .full)
      try await after.value
      #expect(try numbers(in: database) == [0, 1])
    }
  }

  @Test func `closing lets those who wait finish and refuses who comes later`() async throws {
    try await withGate { database, gate in
      let first = try await gate.behind { try await insert(0, in: database) }
      let second = try await gate.behind { try await insert(1, in: database) }
      let closing = Task { await database.close() }
      // Until it closes they wait with the others. Then they are refused, while those still wait.
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
      await #expect(throws: SQLiteError.self) { try await insert(8, in: database) }
    }
  }
}
