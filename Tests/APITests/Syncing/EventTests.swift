import Foundation
import Support
import Testing
import Wire
import mememe

/// The event stream of changes to one's own memes.
struct EventTests {
  @Test func `a stream begins at the present and sends the same changes as the list`()
    async throws
  {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      _ = try await server.make(top: "before", token: ada)
      let client = try await EventClient.listen(to: server, token: ada)
      #expect(client.head["content-type"] == "text/event-stream")
      #expect(client.head["cache-control"] == "no-store")
      #expect(client.head["x-accel-buffering"] == "no" && client.head["content-length"] == nil)
      #expect(client.retry == 2000)
      var cursor = client.lastID
      #expect(try await server.changes(since: cursor, token: ada).changes == [])

      let meme = try await server.make("private", top: "two\nlines 🐈", token: ada)
      let other = try await server.make(token: ada)
      try await server.patch(meme, #"{"top":"new"}"#, token: ada).expect(200)
      for _ in 0..<3 {
        let event = try #require(try await client.next())
        // The event equals the list's entry at the same position, unless the meme has changed again.
        let list = try await server.get("/memes/changes?since=\(cursor)&limit=1", token: ada)
        if event.text.hasSuffix(" 2") || event.text.contains(other) {
          #expect(list.json.changes[0] == event.json && list.json.cursor.text == event.id)
          cursor = event.id
        }
      }
      try await server.delete(other, token: ada).expect(204)
      let deleted = try #require(try await client.next())
      #expect(deleted.text == "delete \(other)" && deleted.json.deletedAt.text != nil)
      #expect(deleted.json.keys == ["type", "id", "deletedAt"])
      #expect(try await server.changes(since: deleted.id, token: ada).changes == [])
    }
  }

  @Test func `a stream resumed at any event sends the rest of the list`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      let start = try await server.changes(token: ada).cursor
      try await server.change(110, token: ada, seed: 1)
      // Each change in the list, and the cursor after it.
      var (cursors, told) = ([start], [String]())
      while true {
        let page = try await server.changes(since: cursors.last, limit: 1, token: ada)
        guard let change = page.changes.first else { break }
        told.append(change)
        cursors.append(page.cursor)
      }
      // More than fits into one page.
      #expect(told.count > 30)
      var random = SeededRandom(2)
      for _ in 0..<12 {
        let first = Int.random(in: 0..<cursors.count, using: &random)
        var (place, heard) = (cursors[first], [String]())
        while first + heard.count < told.count {
          let client = try await EventClient.listen(to: server, since: place, token: ada)
          #expect(client.lastID == place)
          for _ in 0..<Int.random(in: 0...25, using: &random) {
            guard first + heard.count < told.count, let event = try await client.next() else {
              break
            }
            heard.append(event.text)
            #expect(event.id == cursors[first + heard.count])
          }
          place = client.lastID
          client.leave()
        }
        #expect(heard == Array(told[first...]))
      }
    }
  }

  @Test func `a client with many interruptions ends up with the server's state`() async throws {
    try await withLiveServer { server in
      let ada = try await server.signUp("ada")
      var (place, last) = (try await server.changes(token: ada).cursor, "")
      async let changing: Void = server.change(80, token: ada, seed: 3)
      var (memes, random): ([String: String], SeededRandom) = ([:], SeededRandom(4))
      var isOver = false
      while !isOver {
        let client = try await EventClient.listen(to: server, since: place, token: ada)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          guard !isOver, let event = try await client.next() else { break }
          // Cursors have a fixed width, so text compares like numbers. No event is repeated or out of order.
          #expect(event.id > place)
          place = event.id
          let words = event.text.split(separator: " ").map(String.init)
          memes[words[1]] = words[0] == "upsert" ? event.text : nil
          isOver = event.json.meme.top.text == "the last"
        }
        last = place
        client.leave()
      }
      try await changing
      let rest = try await server.changes(since: last, limit: 100, token: ada)
      #expect(rest.changes == [])
      let all = try await server.changes(limit: 100, token: ada)
      #expect(Set(memes.values) == Set(all.changes) && !all.hasMore)
    }
  }

  @Test func `streams of two people never mix, and streams of one person agree`() async throws {
    try await withLiveServer { server in
      let (ada, bob) = (try await server.signUp("ada"), try await server.signUp("bob"))
      let (one, two) = (
        try await EventClient.listen(to: server, token: ada),
        try await EventClient.listen(to: server, token: try await server.token("ada"))
      )
      let other = try await EventClient.listen(to: server, token: bob)
      async let changing: Void = server.change(20, token: ada, seed: 5)
      try await server.change(20, token: bob, seed: 6)
      try await changing
      var mine: [[String]] = []
      for client in [one, two, other] {
        var texts: [String] = []
        while let event = try await client.next() {
          texts.append(event.text)
          if event.json.meme.top.text == "the last" { break }
        }
        mine.append(texts)
      }
      // A change can be merged with a later change of the same meme.
      #expect(mine[0].last == mine[1].last && mine[0].last != mine[2].last)
      let bobs = Set(mine[2].map { $0.split(separator: " ")[1] })
      #expect(bobs.isDisjoint(with: mine[0].map { $0.split(separator: " ")[1] }))
      let memes = try await server.listed("/memes?author=bob", token: bob)
      #expect(bobs.isSuperset(of: memes.map { Substring($0) }))
      #expect(try await server.changes(since: other.lastID, token: bob).changes == [])
      #expect(try await server.changes(since: one.lastID, token: ada).changes == [])
    }
  }

  @Test func `a stopping server ends streams cleanly, and the next one resumes them`()
    async throws
  {
    try await withDataFolder { folder in
      var (client, meme, ada): (EventClient?, String, String) = (nil, "", "")
      try await withLiveServer(in: folder) { server in
        ada = try await server.signUp("ada")
        client = try await EventClient.listen(to: server, token: ada)
        meme = try await server.make(token: ada)
        #expect(try await client?.next()?.text == "upsert \(meme) 1")
        let waiting = client
        // The stream counts as one waiter when the server stops.
        try await server.waiters(1)
        withExtendedLifetime(waiting) {}
      }
      #expect(try await client?.next() == nil)
      try await withLiveServer(in: folder) { server in
        let other = try await server.make(token: ada)
        let again = try await EventClient.listen(to: server, since: client?.lastID, token: ada)
        #expect(try await again.next()?.text == "upsert \(other) 1")
      }
    }
  }

  @Test func `a slow reader is disconnected and can resume`() async throws {
    try await withDataFolder { folder in
      var (ada, start) = ("", "")
      try await withLiveServer(in: folder) { server in
        ada = try await server.signUp("ada")
        start = try await server.changes(token: ada).cursor
        _ = try await server.make(token: ada)
      }
      // More than the system buffers for a connection: 200 memes of 150 KB each.
      try await editDatabase(
        in: folder,
        """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 199)
        INSERT INTO memes (id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size,
          fit, draft_digest, author, visibility)
        SELECT randomblob(16), 1, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size,
          fit, draft_digest, author, visibility FROM memes, numbers
        """)
      try await editDatabase(
        in: folder,
        """
        INSERT INTO blobs (id, bytes)
        SELECT 1000 * memes.seq + role, x'00' FROM memes, pictures WHERE memes.seq > 1 AND pictures.meme = 1
        """)
      try await editDatabase(
        in: folder,
        """
        INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
        SELECT memes.seq, role, format, width, height, byte_count, digest, 1000 * memes.seq + role FROM memes, pictures
        WHERE memes.seq > 1 AND pictures.meme = 1
        """)
      try await editDatabase(
        in: folder, "UPDATE memes SET alt_text = replace(hex(zeroblob(75000)), '0', 'x')")
      var (heard, lastID): ([String], String) = ([], "")
      try await withLiveServer(in: folder, { $0.bodyMinRate = 1 << 20 }) { server in
        let client = try await EventClient.listen(to: server, since: start, token: ada)
        heard = try await client.next(3)
        // The grace period is ten seconds.
        for _ in 0..<10 {
          let metrics = try await server.metrics { $0.value("mememe_http_streams_open") == 0 }
          if metrics.value("mememe_http_streams_open") == 0 { break }
        }
        let cuts = try await server.metrics().samples("mememe_http_connections_cut_total")
        #expect(cuts.first { $0.labels["reason"] == "slow-reader" }?.value == 1)
        lastID = client.lastID
      }
      // This server allows slow readers, because the test reads slowly if other tests run at the same time.
      try await withLiveServer(in: folder) { server in
        let again = try await EventClient.listen(to: server, since: lastID, token: ada)
        heard += try await again.next(197)
        #expect(Set(heard).count == 200)
        #expect(try await server.changes(since: again.lastID, token: ada).changes == [])
      }
    }
  }
}

extension TestServer {
  /// Creates, edits, deletes and restores a person's memes at random. The caption of
  /// the last meme says that it is the last.
  func change(_ count: Int, token: String, seed: UInt64) async throws {
    var (random, memes, deleted): (SeededRandom, [String], [String]) = (SeededRandom(seed), [], [])
    for number in 0..<count {
      let place = Int.random(in: 0..<max(memes.count, 1), using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<2 where memes.count > 3:
        let meme = memes.remove(at: place)
        try await delete(meme, token: token).expect(204)
        deleted.append(meme)
      case 2..<5 where !memes.isEmpty:
        let visibility = number % 2 == 0 ? "private" : "public"
        try await patch(memes[place], #"{"visibility":"\#(visibility)"}"#, token: token).expect(200)
      case 5 where !deleted.isEmpty:
        let meme = deleted.removeLast()
        try await restore(meme, token: token).expect(200)
        memes.append(meme)
      default: memes.append(try await make(top: "\(number)", token: token))
      }
    }
    _ = try await make(top: "the last", token: token)
  }
}
