import Memes
import SQL
import SQLite
import Services
import Support
import Testing

@testable import Storage

/// The notifications that people get, for any events in any order and any blocks.
struct NotificationMatrixTests {
  /// An expected unread notification, with its events from oldest to newest.
  private struct Expected {
    let kind: Memes.Notification.Kind
    let meme: MemeID?
    var events: [Author] = []

    func told(to person: Author, apart: Set<UserID>) -> String? {
      let seen = events.filter { !apart.contains($0.id) }
      guard !seen.isEmpty else { return nil }
      var names: [String] = []
      for actor in seen.reversed() where !names.contains(actor.username.text) {
        names.append(actor.username.text)
      }
      return "*\(seen.count) \(kind) \(names.prefix(3).joined(separator: " "))"
    }
  }

  @Test(arguments: 1...6)
  func `notifications show and count only people who are not blocked`(
    seed: UInt64
  ) async throws {
    try await withStore { store in
      var random = SeededRandom(seed)
      var people: [Author] = []
      for number in 0..<7 { people.append(try await store.person("person\(number)")) }
      let ada = people.removeFirst()
      var memes: [MemeID] = []
      for _ in 0..<3 { memes.append(try await store.make(by: ada)) }
      var (expected, likes): ([Expected], Set<[AnyHashable]>) = ([], [])
      func add(_ kind: Memes.Notification.Kind, _ meme: MemeID?, _ person: Author) {
        let place = expected.firstIndex { $0.kind == kind && $0.meme == meme }
        var group = place.map { expected.remove(at: $0) } ?? Expected(kind: kind, meme: meme)
        group.events.append(person)
        expected.append(group)
      }
      for person in people.shuffled(using: &random).prefix(4) {
        try await store.follow(ada, by: person)
        add(.follow, nil, person)
      }
      for _ in 0..<60 {
        guard let person = people.randomElement(using: &random),
          let meme = memes.randomElement(using: &random)
        else { continue }
        if Bool.random(using: &random) {
          try await store.comment(on: meme, by: person)
          add(.comment, meme, person)
        } else if likes.insert([person.id, meme]).inserted {
          try await store.like(meme, by: person)
          add(.like, meme, person)
        }
      }
      var (apart, blocking): (Set<UserID>, Set<UserID>) = ([], [])
      /// A block ends follows. Everything else is only hidden.
      func check() async throws {
        let shown = expected.reversed().compactMap { $0.told(to: ada, apart: apart) }
        #expect(try await store.told(ada) == shown)
        #expect(try await store.unread(ada) == shown.count)
        for limit in [1, 2, 5] {
          let words = try await store.notifications(of: ada, limit: limit)
          #expect(words.map(\.count).count == shown.count)
        }
      }
      func endFollow(of person: Author) {
        guard let place = expected.firstIndex(where: { $0.kind == .follow }) else { return }
        expected[place].events.removeAll { $0 == person }
        if expected[place].events.isEmpty { expected.remove(at: place) }
      }
      try await check()
      for person in people.shuffled(using: &random) {
        if Bool.random(using: &random) {
          try await store.block(person, by: ada)
        } else {
          try await store.block(ada, by: person)
          blocking.insert(person.id)
        }
        endFollow(of: person)
        apart.insert(person.id)
        try await check()
      }
      #expect(try await store.told(ada) == [])
      for person in people.shuffled(using: &random) {
        if blocking.contains(person.id) {
          try await store.unblock(ada, by: person)
        } else {
          try await store.unblock(person, by: ada)
        }
        apart.remove(person.id)
        try await check()
      }
    }
  }

  @Test func `an admin sees all actors`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let meme = try await store.make(by: ada)
      try await store.like(meme, by: bob)
      try await store.block(bob, by: ada)
      #expect(try await store.told(ada) == [])
      let page = try await store.notifications.notifications(
        for: .administrator(ada.id), after: nil, limit: 9)
      #expect(page.page.items.map(\.actors) == [[bob]])
      #expect(page.unread == 1)
    }
  }

  @Test func `a thousand are kept for ninety days, and up to a hundred count as unread`()
    async throws
  {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let day: Int64 = 86_400_000
      try await store.database.writer.transaction { db in
        try db.run(
          """
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
          INSERT INTO memes (
            id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, fit,
            draft_digest, author)
          SELECT randomblob(16), 1, 5, 5, '', '', '', 0, 0, 0.1, 0.1, '[]', zeroblob(32), users.seq
          FROM numbers, users WHERE users.id = ?
          """, ada.id.bytes)
        try db.run("INSERT INTO blobs (id, bytes) SELECT seq + 1000000, zeroblob(1) FROM memes")
        try db.run(
          """
          INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
          SELECT seq, 3, 'jpeg', 1, 1, 1, zeroblob(32), seq + 1000000 FROM memes
          """)
        try db.run(
          """
          INSERT INTO likes (meme, user, created_at)
          SELECT memes.seq, users.seq, memes.seq FROM memes, users WHERE users.id = ? ORDER BY memes.seq
          """, bob.id.bytes)
      }
      #expect(try store.database.integer("SELECT count(*) FROM notifications") == 1000)
      #expect(try store.database.integer("SELECT min(meme) FROM notifications") == 201)
      #expect(try await store.unread(ada) == 100)
      #expect(try await store.told(ada).count == 1000)
      try await store.like(try await store.make(by: bob), by: ada, at: 2000)
      #expect(try store.database.integer("SELECT count(*) FROM notifications") == 1001)

      // Two hundred of Ada's notifications are from the first 400 milliseconds.
      let batch = PurgeBatch(count: 64, bytes: 1)
      var time = Timestamp(millisecondsSince1970: 400)
      var counts: [Int] = []
      repeat {
        counts.append(
          try await store.notifications.purgeNotifications(upTo: time, at: time, batch))
      } while counts.last != 0
      #expect(counts == [64, 64, 64, 8, 0])
      let purging = NotificationPurge(store: store.notifications) { [time] in
        Timestamp(millisecondsSince1970: time.millisecondsSince1970 + 90 * day)
      }
      #expect(try await purging.purge() == 0)

      try await store.readAll(ada)
      for meme in try await store.notifications(of: ada).prefix(3).compactMap(\.meme) {
        try await store.unlike(meme.id, by: bob)
      }
      #expect(try store.database.integer("SELECT count(*) FROM taken_back") == 3)
      time = Timestamp(millisecondsSince1970: 1199 + day)
      let horizon = Timestamp(millisecondsSince1970: 0)
      #expect(
        try await store.notifications.purgeNotifications(upTo: horizon, at: time, batch) == 2)
      #expect(try store.database.integer("SELECT count(*) FROM taken_back") == 1)
    }
  }
}
