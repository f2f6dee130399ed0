import Foundation
import Memes
import SQL
import Testing

@testable import Storage

struct EventStoreTests {
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  /// Takes the lease of the only connection.
  ///
  /// - Returns: also its first event.
  private func taken(
    from events: EventStore
  ) async throws -> (connection: DueConnection, event: Event) {
    let due = try #require(try await events.due(at: Self.time(100)).first)
    #expect(try await events.take(due, at: Self.time(100)))
    return (due, try #require(try await events.next(of: due, at: Self.time(100)).first))
  }

  private static func result(
    _ event: Event, _ fate: EventStore.Fate, status: Int = 404
  ) -> EventStore.Result {
    EventStore.Result(
      event, DeliveryID(UUID()), fate,
      Delivery.Attempt(
        status: status, head: "", error: status == 200 ? nil : "x", milliseconds: 1, at: time(1)))
  }

  /// Ada's connection, with a mapping that wants these events.
  private func connection(
    of ada: Author, _ kinds: Set<EventKind> = [.memeCreated], in store: Scratch
  ) async throws -> ConnectionID {
    let id = try await InterleavedScene.connect(ada, in: store.database)
    try await InterleavedScene.map(id, of: ada, kinds, in: store.database)
    return id
  }

  /// An event waits: ada has a connection, and then makes a meme.
  private func withEvent(
    _ body: (Scratch, Author, ConnectionID, EventStore) async throws -> Void
  ) async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let id = try await connection(of: ada, in: store)
      _ = try await store.make(by: ada)
      try await body(store, ada, id, EventStore(store.database, as: EventID(UUID())))
    }
  }

  @Test func `one server delivers, until its lease ends`() async throws {
    try await withEvent { store, _, id, one in
      let other = EventStore(store.database, as: EventID(UUID()))
      let due = try #require(try await one.due(at: Self.time(100)).first)
      #expect(due.id == id)
      #expect(try await one.take(due, at: Self.time(100)))
      #expect(try await other.due(at: Self.time(101)).isEmpty)
      #expect(try await !other.take(due, at: Self.time(30_000)))
      // It has its lease itself.
      #expect(try await one.take(due, at: Self.time(200)))
      // The other server takes over, and the first one learns it when it records.
      #expect(try await other.take(due, at: Self.time(30_201)))
      let event = try #require(try await one.next(of: due, at: Self.time(30_202)).first)
      let result = Self.result(event, .delivered, status: 200)
      #expect(try await !one.record([result], of: due, at: Self.time(30_203)))
      #expect(try await other.next(of: due, at: Self.time(30_204)).isEmpty)
      // After the clock was set back, a lease far in the future counts for nothing.
      #expect(try await one.take(due, at: Self.time(10)))
    }
  }

  @Test func `a sender with a former secret or URL gets no events`() async throws {
    try await withEvent { store, ada, id, events in
      let connections = ConnectionStore(store.database)
      func due() async throws -> DueConnection {
        try #require(try await events.due(at: Self.time(100)).first)
      }
      var former = try await due()
      #expect(try await events.next(of: former, at: Self.time(101)).count == 1)
      _ = try await connections.setSecret(
        [1, 2, 3], of: id, keepingOldUntil: Self.time(900), by: .person(ada.id))
      #expect(try await events.next(of: former, at: Self.time(102)).isEmpty)
      former = try await due()
      #expect(former.secret == [1, 2, 3] && former.oldSecret != nil)
      #expect(try await events.next(of: former, at: Self.time(103)).count == 1)
      _ = try await connections.change(
        id, name: nil, url: try RemoteURL("https://example.org/new"), by: .person(ada.id))
      #expect(try await events.next(of: former, at: Self.time(104)).isEmpty)
      #expect(try await events.next(of: due(), at: Self.time(105)).count == 1)
    }
  }

  @Test func `a failure at a former URL or from before a restart delays and stops nothing`()
    async throws
  {
    try await withEvent { store, ada, id, events in
      let connections = ConnectionStore(store.database)
      for isMoved in [true, false] {
        let due = try #require(try await events.due(at: Self.time(100)).first)
        #expect(try await events.take(due, at: Self.time(100)))
        let event = try #require(try await events.next(of: due, at: Self.time(100)).first)
        if isMoved {
          _ = try await connections.change(
            id, name: nil, url: try RemoteURL("https://example.org/new"), by: .person(ada.id))
        } else {
          _ = try await connections.restart(id, by: .person(ada.id))
        }
        for fate in [EventStore.Fate.postponed(until: Self.time(90_000)), .givenUp] {
          let result = EventStore.Result(
            event, DeliveryID(UUID()), fate,
            Delivery.Attempt(
              status: nil, head: nil, error: "x", milliseconds: 1, at: Self.time(102)))
          #expect(try await !events.record([result], of: due, at: Self.time(102)))
        }
        let found = try await connections.connection(id, for: .person(ada.id))
        #expect(found.progress.failures == 0 && found.progress.failed == 0)
        let again = try #require(try await events.due(at: Self.time(103)).first)
        #expect(try await events.next(of: again, at: Self.time(103)).count == 1)
        #expect(try await !events.stop(due, because: "gone"))
      }
    }
  }

  @Test func `waiting events are counted up to the maximum`() async throws {
    try await withEvent { store, _, _, events in
      let due = try #require(try await events.due(at: Self.time(100)).first)
      #expect(try await events.waitingCount(of: due) == 1)
      try await store.database.writer.transaction { db in
        for _ in 1...14 {
          try db.run(
            """
            INSERT INTO events (id, connection, mapping, kind, subject, happened_at)
            SELECT randomblob(16), connection, mapping, kind, subject, happened_at FROM events
            """)
        }
      }
      #expect(try await events.waitingCount(of: due) == EventStore.maximumWaiting)
    }
  }

  @Test func `after the clock was set back, no attempt waits for the time before`() async throws {
    try await withEvent { store, _, _, events in
      let due = try #require(try await events.due(at: Self.time(100)).first)
      let day: Int64 = 86_400_000
      for (time, isDue) in [(100 + day, false), (100 + 365 * day, true)] {
        try await store.database.writer.transaction { db in
          try db.run("UPDATE events SET next_attempt_at = ?", time)
        }
        #expect(try await events.next(of: due, at: Self.time(100)).isEmpty != isDue)
        try await store.database.writer.transaction { db in
          try db.run("UPDATE connections SET next_attempt_at = ?", time)
        }
        #expect(try await events.due(at: Self.time(100)).isEmpty != isDue)
      }
    }
  }

  @Test func `connections that deliver nothing stop when too many events wait`() async throws {
    try await withEvent { store, ada, id, events in
      let connections = ConnectionStore(store.database)
      func stopped(isOff: Bool = false) async throws -> Bool {
        let stopped = try await events.stopOverfull(because: "full", isOff: isOff)
        #expect(stopped.allSatisfy { $0.id == id && $0.owner == ada.id })
        return !stopped.isEmpty
      }
      func set(_ change: String) async throws {
        _ = try await connections.restart(id, by: .person(ada.id))
        try await store.database.writer.transaction { db in try db.run(change) }
      }
      try await set("UPDATE connections SET state = 1")
      #expect(try await !stopped())
      try await store.database.writer.transaction { db in
        for _ in 1...14 {
          try db.run(
            """
            INSERT INTO events (id, connection, mapping, kind, subject, happened_at)
            SELECT randomblob(16), connection, mapping, kind, subject, happened_at FROM events
            """)
        }
      }
      #expect(try await stopped())
      let connection = try await connections.connection(id, for: .person(ada.id))
      #expect(connection.state == .stopped && connection.progress.lastError == "full")
      #expect(try await !stopped())
      // The sender checks a connection that runs.
      try await set("UPDATE connections SET failures = 1")
      #expect(try await !stopped())
      #expect(try await stopped(isOff: true))
      try await set("UPDATE connections SET failures = 2")
      #expect(try await stopped())
      try await set("UPDATE users SET suspended_at = 1")
      #expect(try await stopped())
    }
  }

  @Test(arguments: [true, false])
  func `a delivery counts, also if its mapping was deleted or replaced while it was sent`(
    isDeleted: Bool
  ) async throws {
    try await withEvent { store, ada, id, events in
      let (due, event) = try await taken(from: events)
      let connections = ConnectionStore(store.database)
      if isDeleted {
        try await connections.deleteMapping(event.mapping, by: .person(ada.id))
      } else {
        _ = try await connections.replaceMapping(
          event.mapping, with: try InterleavedScene.terms([.memeDeleted]), by: .person(ada.id))
      }
      let result = Self.result(event, .delivered, status: 200)
      #expect(try await events.record([result], of: due, at: Self.time(101)))
      let found = try await connections.connection(id, for: .person(ada.id))
      #expect(found.progress.delivered == 1)
    }
  }

  @Test func `events are given up after a week, and counted`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let id = try await connection(of: ada, in: store)
      for _ in 0..<3 { _ = try await store.make(by: ada) }
      let events = EventStore(store.database, as: EventID(UUID()))
      let week = RetrySchedule.keptMilliseconds
      #expect(try await events.purgeEvents(at: Self.time(week), .standard) == 0)
      #expect(try await events.purgeEvents(at: .now(), .standard) == 3)
      #expect(try await events.purgeEvents(at: .now(), .standard) == 0)
      let connection = try await ConnectionStore(store.database).connection(
        id, for: .person(ada.id))
      #expect(connection.progress.failed == 3 && connection.progress.lag == 0)
    }
  }

  @Test func `a connection whose receiver refuses an event for good does not fail`() async throws {
    try await withEvent { store, ada, id, events in
      let (due, event) = try await taken(from: events)
      for fate in [EventStore.Fate.postponed(until: Self.time(90_000)), .givenUp] {
        #expect(try await events.record([Self.result(event, fate)], of: due, at: Self.time(101)))
      }
      let found = try await ConnectionStore(store.database).connection(id, for: .person(ada.id))
      #expect(found.progress.failures == 0 && found.progress.failed == 1)
      #expect(found.progress.nextAttemptAt == Self.time(0))
    }
  }

  @Test func `another URL is tried at once`() async throws {
    try await withEvent { store, ada, id, events in
      let connections = ConnectionStore(store.database)
      let (due, event) = try await taken(from: events)
      for fate in [
        EventStore.Fate.refused(until: Self.time(90_000)), .postponed(until: Self.time(90_000)),
      ] {
        #expect(try await events.record([Self.result(event, fate)], of: due, at: Self.time(101)))
      }
      func change(to url: String) async throws -> [DueConnection] {
        _ = try await connections.change(
          id, name: nil, url: try RemoteURL(url), by: .person(ada.id))
        return try await events.due(at: Self.time(102))
      }
      #expect(try await change(to: due.url.text).isEmpty)
      let moved = try #require(try await change(to: "https://example.org/new").first)
      #expect(moved.failures == 0)
      #expect(try await events.next(of: moved, at: Self.time(102)).count == 1)
    }
  }

  @Test func `an event of an imported meme is as old as the import`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      _ = try await connection(of: ada, in: store)
      let old = try newMeme(by: ada)
      #expect(try await store.memes.insert(old, recording: nil, importedAt: .now()).isInserted)
      let events = EventStore(store.database, as: EventID(UUID()))
      #expect(try await events.purgeEvents(at: .now(), .standard) == 0)
      let due = try #require(try await events.due(at: .now()).first)
      #expect(try await events.next(of: due, at: .now()).count == 1)
    }
  }

  @Test func `there is no work while all events wait for a refused one`() async throws {
    try await withEvent { store, ada, _, events in
      let due = try #require(try await events.due(at: Self.time(100)).first)
      #expect(try await events.hasWork(due, at: Self.time(100)))
      #expect(try await events.take(due, at: Self.time(100)))
      let event = try #require(try await events.next(of: due, at: Self.time(100)).first)
      let result = Self.result(event, .refused(until: Self.time(5_000)))
      #expect(try await events.record([result], of: due, at: Self.time(101)))
      #expect(try await !events.hasWork(due, at: Self.time(102)))
      #expect(try await events.hasWork(due, at: Self.time(5_000)))
      _ = try await ConnectionStore(store.database).reload(event.mapping, by: .person(ada.id))
      #expect(try await events.hasWork(due, at: Self.time(102)))
    }
  }

  @Test func `the log keeps the last 500 attempts`() async throws {
    try await withEvent { store, ada, id, events in
      let due = try #require(try await events.due(at: Self.time(100)).first)
      let event = try #require(try await events.next(of: due, at: Self.time(100)).first)
      let results = (0..<600).map { number in
        EventStore.Result(
          event, DeliveryID(UUID()), .postponed(until: Self.time(0)),
          Delivery.Attempt(
            status: 500, head: "", error: "x", milliseconds: 1, at: Self.time(Int64(number))))
      }
      _ = try await events.record(results, of: due, at: Self.time(100))
      let page = try await ConnectionStore(store.database).deliveries(
        of: id, for: .person(ada.id), after: nil, limit: 1000)
      #expect(page.items.count == 500)
      #expect(page.items.first?.attempt.at == Self.time(599))
    }
  }

  @Test func `a reload covers many memes in steps`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      for _ in 0..<300 { _ = try await store.make(by: ada) }
      let id = try await connection(of: ada, in: store)
      let connections = ConnectionStore(store.database)
      let mapping = try #require(
        try await connections.connection(id, for: .person(ada.id)).mappings.first?.id)
      #expect(try await connections.reload(mapping, by: .person(ada.id)).isReloading)
      let events = EventStore(store.database, as: EventID(UUID()))
      let former = try #require(try await events.due(at: Self.time(100)).first)
      _ = try await connections.setSecret(
        [9, 8, 7], of: id, keepingOldUntil: Self.time(900), by: .person(ada.id))
      #expect(
        try await !events.reload(former, at: Self.time(5), newID: { EventID(UUID()) }),
        "its sender would deliver none of the events")
      let due = try #require(try await events.due(at: Self.time(100)).first)
      var steps = 0
      while try await events.reload(due, at: Self.time(5), newID: { EventID(UUID()) }) {
        steps += 1
      }
      #expect(steps == 2)
      let connection = try await connections.connection(id, for: .person(ada.id))
      #expect(connection.progress.lag == 300 && !connection.mappings[0].isReloading)
    }
  }

  @Test func `a sender scans no table`() async throws {
    try await withStore { store in
      let plans = try await store.database.readers.read { db in
        guard db.dialect == .sqlite else { return [String]() }
        return try [
          db.plan(of: EventStore.dueQuery, 1, [UInt8](repeating: 0, count: 16), 2, 3),
          db.plan(of: EventStore.nextQuery, 1, 1, 64, [UInt8](), "", 2),
          db.plan(of: EventStore.overfullQuery, 1, false),
          db.plan(of: ConnectionStore.deliveriesQuery, 1, 1, 64),
        ].flatMap(\.self)
      }
      // The recursive query scans its own rows, and the index of mappings that are being reloaded.
      let scans = plans.filter { $0.contains("SCAN") && !$0.contains("SCAN waiting") }
      #expect(scans.allSatisfy { $0.contains("mappings_reloading") }, "\(scans)")
    }
  }
}
