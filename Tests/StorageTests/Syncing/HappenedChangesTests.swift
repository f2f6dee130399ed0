import Memes
import PostgreSQL
import SQL
import Storage
import Support
import Synchronization
import Testing

/// How servers learn of each other's changes on PostgreSQL.
@Suite struct HappenedChangesTests {
  private final class Listener: ChangeObserver {
    private let changes = Mutex<[MemeChange]>([])

    var heard: [MemeChange] { changes.withLock { $0 } }

    func changed(_ change: MemeChange) { changes.withLock { $0.append(change) } }
  }

  /// Notes whether the server may answer from memory at the moment in which it learns of a change.
  private final class FreshnessListener: ChangeObserver {
    let changes: HappenedChanges
    let now: ContinuousClock.Instant
    private let wasFresh = Mutex<[Bool]>([])

    init(_ changes: HappenedChanges, at now: ContinuousClock.Instant) {
      (self.changes, self.now) = (changes, now)
    }

    var heard: [Bool] { wasFresh.withLock { $0 } }

    func changed(_ change: MemeChange) {
      let isFresh = changes.isFresh(within: .seconds(1), at: now)
      wasFresh.withLock { $0.append(isFresh) }
    }
  }

  private let time = Timestamp(millisecondsSince1970: 5)

  @Test func `after a gap nothing counts as current before all changes of the gap are told`()
    async throws
  {
    guard Engine.tested.contains(.postgreSQL) else { return }
    try await withStore(on: [.postgreSQL]) { store in
      let changes = HappenedChanges(store.database.readers)
      let begin = ContinuousClock.now
      try await changes.poll(telling: [], at: begin)
      for _ in 0..<3 { _ = try await store.make() }
      let later = begin + .seconds(5)
      #expect(changes.isLost(for: .seconds(1), at: later))
      let listener = FreshnessListener(changes, at: later)
      try await changes.poll(telling: [listener], at: later)
      #expect(listener.heard == [false, false, false])
      #expect(changes.isFresh(within: .seconds(1), at: later))
      #expect(!changes.isLost(for: .seconds(1), at: later))
    }
  }

  @Test func `every change of another server is told once, in order`() async throws {
    guard Engine.tested.contains(.postgreSQL) else { return }
    try await withStore(on: [.postgreSQL]) { store in
      let ada = try await store.person("ada")
      _ = try await store.make(by: ada)
      let listener = Listener()
      let changes = HappenedChanges(store.database.readers)
      #expect(!changes.isFresh(within: .seconds(1)))
      let begin = ContinuousClock.now
      try await changes.poll(telling: [listener], at: begin)
      #expect(changes.isFresh(within: .seconds(1), at: begin))
      #expect(!changes.isFresh(within: .seconds(1), at: begin + .seconds(2)))
      // What was cached before the first poll may have changed before it.
      #expect(listener.heard == [.missed])

      let meme = try await store.make(by: ada)
      try await ReactionStore(store.database).put(.like, on: meme, by: .person(ada.id), at: time)
      try await store.memes.delete(meme, if: .any, at: time, restorable: true)
      for _ in 0..<3 { try await changes.poll(telling: [listener]) }
      #expect(
        listener.heard.dropFirst() == [
          .created(meme), .sequenced(of: ada.id), .counted(meme), .deleted(meme),
          .sequenced(of: ada.id),
        ])
      // A write that fails tells nothing.
      _ = await failure {
        try await store.memes.delete(meme, if: .any, at: time, restorable: true)
      }
      try await changes.poll(telling: [listener])
      #expect(listener.heard.count == 6)
      // Others may have been deleted in the meantime.
      try await changes.poll(telling: [listener], at: .now + .seconds(600))
      #expect(listener.heard.count == 7 && listener.heard.last == .missed)
    }
  }

  @Test func `no change is missed while many are written, and none is told twice`() async throws {
    guard Engine.tested.contains(.postgreSQL) else { return }
    try await withStore(on: [.postgreSQL]) { store in
      let listener = Listener()
      let changes = HappenedChanges(store.database.readers)
      try await changes.poll(telling: [])
      let polling = Task {
        while !Task.isCancelled { try await changes.poll(telling: [listener]) }
      }
      let made = try await withThrowingTaskGroup(of: [MemeID].self) { group in
        for _ in 0..<6 {
          group.addTask {
            var made: [MemeID] = []
            for _ in 0..<40 { made.append(try await store.make()) }
            return made
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      polling.cancel()
      _ = await polling.result
      try await changes.poll(telling: [listener])
      #expect(listener.heard.count == made.count)
      #expect(Set(listener.heard) == Set(made.map(MemeChange.created)))
    }
  }

  /// Such a transaction may be one of another database of the same PostgreSQL server.
  @Test(.enabled(if: Engine.tested.contains(.postgreSQL)))
  func `while a transaction goes on, no poll reads a change again`() async throws {
    try await withStore(on: [.postgreSQL]) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      let measured = MeasuredDatabase(database)
      let (changes, listener) = (HappenedChanges(measured.readers), Listener())
      try await changes.poll(telling: [])
      // Stops after the INSERT of its meme.
      let stepped = SteppedDatabase(database, after: 4)
      let gate = stepped.writer.gate
      let late = try newMeme()
      async let insertion = Self.inserting(late, in: stepped, gate)
      try await blocking { gate.waitForStop() }
      var made: [MemeID] = []
      for _ in 0..<60 { made.append(try await store.make()) }
      try await changes.poll(telling: [listener])
      #expect(listener.heard == made.map(MemeChange.created))
      _ = measured.takeVisits()
      for _ in 0..<3 { try await changes.poll(telling: [listener]) }
      // One for each transaction that runs, also those of other tests.
      let rows = measured.takeVisits().map(\.rows)
      #expect(rows.count == 3 && rows.allSatisfy { $0 < 30 }, "\(rows)")
      #expect(listener.heard.count == made.count)
      gate.letGoOn()
      guard case .inserted = try await insertion else {
        Issue.record("The meme was not made.")
        return
      }
      try await changes.poll(telling: [listener])
      #expect(listener.heard.count == made.count + 1)
      #expect(listener.heard.last == .created(late.meme.id))
    }
  }

  private static func inserting(
    _ meme: NewMeme, in database: SteppedDatabase, _ gate: StepGate
  ) async throws -> Insertion {
    defer { gate.end() }
    return try await MemeStore(database).insert(meme)
  }
}
