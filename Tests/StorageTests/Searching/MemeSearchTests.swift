import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

/// Which memes a search finds, and in which order.
struct MemeSearchTests {
  @Test
  func `exact phrases come first, then all words, then the alternative text`() async throws {
    try await withStore { store in
      var ids: [MemeID] = []
      for (top, alt) in [
        ("nobody walks into mordor", ""), ("mordor, into it one walks", "x"),
        ("frodo", "he walks into Mordor"), ("WALKS\nINTO MORDOR", ""), ("into mordor", "he walks"),
        ("one walks", "into a bar"),
      ] { ids.append(try await store.say(top, alt: alt)) }
      let found = { (text: String) in try await store.found(text) }
      for limit in [1, 2, 3, 100] {
        #expect(
          try await store.found("Walks into mordor!", limit: limit)
            == [ids[3], ids[0], ids[1], ids[4], ids[2]])
      }
      #expect(try await found("mordor walks") == [ids[3], ids[1], ids[0], ids[4], ids[2]])
      #expect(try await found("mordor") == [ids[4], ids[3], ids[1], ids[0], ids[2]])
      #expect(
        try await found("walks walks WALKS") == [ids[5], ids[3], ids[1], ids[0], ids[4], ids[2]])
      #expect(try await found("bar") == [ids[5]])
      #expect(try await found("mord").isEmpty)
      for (order, expected) in [
        (MemeListing.Order.newest, [4, 3, 2, 1, 0]), (.oldest, [0, 1, 2, 3, 4]),
      ] {
        for limit in [1, 2, 100] {
          let listed = try await store.found("into mordor", order, limit: limit)
          #expect(listed == expected.map { ids[$0] })
        }
      }
    }
  }

  /// The marks are in no order, because PostgreSQL compresses the entries of its indexes before it limits their size.
  @Test func `a word of thousands of marks can be stored and found`() async throws {
    try await withStore { store in
      let marks = (UInt32(0x900)...0x1CFF).compactMap(Unicode.Scalar.init).filter { scalar in
        [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
      }
      var (text, number) = ("a".unicodeScalars, UInt32(1))
      for _ in 0..<2700 {
        number = number &* 1_664_525 &+ 1_013_904_223
        text.append(marks[Int(number >> 8) % marks.count])
      }
      let id = try await store.say(String(text))
      #expect(try await store.found(String(text)) == [id])
    }
  }

  @Test func `any script is found, letter by letter if it has no spaces`() async throws {
    try await withStore { store in
      let (cats, thai, korean, emoji) = (
        try await store.say("我是一只猫"), try await store.say("ไม่ใช่เรื่องง่าย"),
        try await store.say("고양이가 배고파"), try await store.say("so 😂😂 much")
      )
      for (text, id) in [
        ("一只猫", cats), ("猫", cats), ("เรื่อง", thai), ("고양이", korean), ("😂", emoji),
        ("much 😂", emoji),
      ] {
        #expect(try await store.found(text) == [id], "\(text)")
      }
      for text in ["猫只", "只一", "ง่ายเรื่อง", "😭"] {
        #expect(try await store.found(text).isEmpty, "\(text)")
      }
    }
  }

  @Test func `the index of words follows every change in its transaction`() async throws {
    try await withStore { store in
      let time = Timestamp(millisecondsSince1970: 9)
      let ada = try await store.person("ada")
      let id = try await store.say("grumpy")
      func edit(_ top: String) async throws {
        let new = try newMeme(id: id.uuid) { $0.top = CaptionText(stored: top) }
        _ = try await store.memes.replace(3, with: RevisedMeme(meme: new.meme, files: [:]))
      }
      try await edit("happy")
      #expect(try await store.found("grumpy").isEmpty)
      #expect(try await store.found("happy") == [id])
      #expect(try await store.found("happy", by: .person(ada.id)).isEmpty)
      _ = try await store.memes.claim(id, for: ada.id)
      #expect(try await store.found("happy", by: .person(ada.id)) == [id])
      try await store.memes.delete(id, if: .any, at: time, restorable: true)
      #expect(try await store.found("happy").isEmpty)
      _ = try await store.memes.restore(id, deletedAfter: Timestamp(millisecondsSince1970: 0))
      #expect(try await store.found("happy") == [id])
      try await store.memes.delete(id, if: .any, at: time, restorable: true)
      #expect(try store.database.integer("SELECT count(*) FROM meme_words") != 0)
      _ = try await store.memes.purge(deletedUpTo: time, .standard)
      #expect(try store.database.integer("SELECT count(*) FROM meme_words") == 0)

      let own = try await store.say("sad", by: ada)
      #expect(try await store.found("sad") == [own])
      let users = UserStore(store.database)
      #expect(try await users.delete(ada.id, if: HashedPassword("$ada"), at: time))
      for table in ["meme_words", "user_words"] {
        #expect(try store.database.integer("SELECT count(*) FROM \(table)") == 0)
      }
    }
  }

  @Test func `a page scans a limited number and is short if few are visible`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let ada = try await store.person("ada")
      let open = try await store.say("cat", by: ada)
      // Memes 2 to 2401. Each is like the one above, but hidden.
      try await store.database.writer.transaction { db in
        try db.run(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO memes (id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width,
            size, fit, draft_digest, author, visibility)
          SELECT randomblob(16), 1, 1, 1, 'cat', '', '', 0, 0, 0.1, 0.1, '[]', zeroblob(32), author, 2 FROM memes, n
          """, mostCandidates + 1400)
        try db.run(
          """
          INSERT INTO meme_words (rowid, captions, alt_text, author)
          SELECT -seq, 'cat', '', author FROM memes WHERE visibility = 2
          """)
      }
      let words = SearchWords("cat")
      let scope = MemeListing.Scope.matching(words, by: nil)
      for (order, pages, rests) in [
        (MemeListing.Order?.none, [[], [open]], [1024]), (.newest, [[], [open]], [1024]),
        (.oldest, [[open], [], []], [1023, 2047]),
      ] {
        var (found, places, next): ([[MemeID]], [Int64], ListPosition?) = ([], [], nil)
        repeat {
          let page = try await store.memes.gridCells(
            MemeListing(for: .anonymous, scope, order, after: next, limit: 30))
          found.append(page.items.map(\.id))
          next = page.next
          // No position depends on the words of a hidden meme.
          if let next { places.append(next.sequence) }
        } while next != nil
        #expect(found == pages && places == rests.map(Int64.init))
      }
    }
  }

  @Test(arguments: [Visibility.private, .friends])
  func `the end of a page does not reveal whether a hidden meme has the words`(
    visibility: Visibility
  ) async throws {
    for order in [MemeListing.Order?.none, .newest, .oldest] {
      var ends: [[ListPosition?]] = []
      for hidden in ["cat", "dog"] {
        try await withStore { store in
          let ada = try await store.person("ada")
          for (text, shows) in [
            ("cat", true), (hidden, false), ("cat", true), (hidden, false), (hidden, false),
            ("cat", true), (hidden, false),
          ] {
            _ = try await store.memes.insert(
              try newMeme(by: ada, shows ? .public : visibility) {
                $0.top = CaptionText(stored: text)
              })
          }
          var (places, next): ([ListPosition?], ListPosition?) = ([], nil)
          repeat {
            let page = try await store.memes.gridCells(
              MemeListing(
                for: .anonymous, .matching(SearchWords("cat"), by: nil), order, after: next,
                limit: 1))
            #expect(page.items.count == 1)
            next = page.next
            places.append(next)
          } while next != nil
          ends.append(places)
        }
      }
      #expect(ends[0] == ends[1] && ends[0].count == 3)
    }
  }

  @Test func `long runs of letters are found in parts, and repetitions at any length`() async throws
  {
    try await withStore { store in
      let letters = "天地玄黄宇宙洪荒日月盈昃"
      let (all, laugh) = (
        try await store.say("x\(letters)y"), try await store.say("哈哈哈哈哈笑 no no no no way")
      )
      // The first eight and the others, but not adjacent.
      let parts = try await store.say("日月盈昃 天地玄黄宇宙洪荒")
      #expect(try await store.found(letters) == [parts, all])
      #expect(try await store.found("地天玄黄宇宙洪荒日月盈昃").isEmpty)
      // The first eight and the other two are in both, but the second word only in one.
      for order in [nil, MemeListing.Order.newest] {
        #expect(try await store.found("天地玄黄宇 宙洪荒日月", order) == [all])
      }
      for text in ["哈", "哈哈", "哈哈哈", "哈哈哈哈哈哈哈笑", "哈笑", "no no no way", "no way"] {
        #expect(try await store.found(text) == [laugh], "\(text)")
      }
      let words = SearchWords("\(letters.dropLast(2)) \(letters.prefix(2))")
      let (first, rest) = ("天 地 玄 黄 宇 宙 洪 荒", "日 月")
      #expect(
        MemeMatch(words, author: nil).fullText(.phrase)
          == #"(captions : ("\#(first)" AND "\#(rest) 天 地" AND "\#(rest)" AND "天 地"))"#)
    }
  }

  @Test func `a search over its deadline is ended within FTS5`() async throws {
    try await withStore(on: [.sqlite]) { store in
      try await store.database.writer.transaction { db in
        try db.run(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
          INSERT INTO meme_words (rowid, captions, alt_text, author) SELECT -i, 'cat and dog', '', '' FROM n
          """)
      }
      let ended = await failure {
        try await store.database.readers.read { db in
          try db.within(.zero) {
            _ = try store.memes.found(
              by: MemeMatch(SearchWords("cat dog"), author: nil), .newest, after: nil, 5,
              until: .now + .seconds(60), in: db)
          }
        }
      }
      #expect(ended == "storageBusy")
      #expect(try await store.found("cat dog").isEmpty)
    }
  }

  @Test func `a search that runs out of time continues with the next page, without gaps`()
    async throws
  {
    try await withStore(on: [.sqlite]) { store in
      // Few of very many rows have both words.
      try await store.database.writer.transaction { db in
        try db.run(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
          INSERT INTO meme_words (rowid, captions, alt_text, author)
          SELECT -i, iif(i % 30000 = 7, 'cat dog', iif(i % 2, 'cat', 'dog')), '', '' FROM n
          """)
      }
      let match = MemeMatch(SearchWords("cat dog"), author: nil)
      let expected = [90_007, 60_007, 30_007, 7] as [Int64]
      try await store.database.readers.read { db in
        var (found, place, pages) = ([Int64](), nil as ListPosition?, 0)
        repeat {
          let part = try store.memes.found(ranking: match, after: place, 31, until: .now, in: db)
          found += part.places.map(\.sequence)
          place = part.cut
          if let place { #expect(place.sequence % 1024 == 0 || place.sequence == 1) }
          pages += 1
        } while place != nil && pages < 100
        #expect(found == expected)
        #expect((4..<100).contains(pages))
        for direction in MemeDirection.allCases {
          let whole = try store.memes.found(
            by: match, direction, after: nil, 31,
            until: .now + .seconds(60), in: db)
          #expect(
            whole.places.map(\.sequence) == (direction == .newest ? expected : expected.reversed()))
          #expect(whole.cut == nil)
        }
      }
    }
  }

  @Test func `no input is an error or finds a meme without the words`() async throws {
    try await withStore { store in
      let id = try await store.say("near and or not column captions cat")
      var random = SystemRandomNumberGenerator()
      let parts = [
        "\"", "'", "*", "^", "-", "+", ":", "(", ")", "{", "}", "NEAR(", "NEAR", "AND", "OR", "NOT",
        "captions", "alt_text :", "author", "rank", "cat", " ", "\u{0}", "猫", "é", "😂", "\u{200D}",
        ";", "--", "meme_words", "\u{FFFD}", "\u{10FFFF}", ",", "\\", "%", "_", "\n",
      ]
      var asked = 0
      for _ in 0..<2000 {
        let text = (0..<Int.random(in: 1...12, using: &random))
          .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        guard let query = try? SearchQuery(text) else { continue }
        if !query.words.isEmpty { asked += 1 }
        for order in [nil, MemeListing.Order.newest] {
          let listing = MemeListing(
            for: .anonymous, .matching(query.words, by: nil), order, limit: 3)
          let found = try await store.memes.gridCells(listing).items.map(\.id)
          let words = Set(["near", "and", "or", "not", "column", "captions", "cat"])
          let matches = !query.words.isEmpty && words.isSuperset(of: query.words.pieces)
          #expect((found == [id]) == matches, "\(text)")
        }
      }
      #expect(asked > 500)
    }
  }
}

extension Scratch {
  /// Inserts a meme with this text.
  func say(_ top: String, alt: String = "", by author: Author? = nil) async throws -> MemeID {
    let new = try newMeme(by: author) { $0.top = CaptionText(stored: top) }
    let meme = new.meme
    let said = Meme(
      id: meme.id, author: author, visibility: meme.visibility, version: meme.version,
      createdAt: meme.createdAt, updatedAt: meme.updatedAt, recipe: meme.recipe,
      altText: try AltText(alt), original: meme.original, image: meme.image,
      tableThumbnail: meme.tableThumbnail, gridThumbnail: meme.gridThumbnail, fit: meme.fit)
    _ = try await memes.insert(
      NewMeme(
        meme: said, draftDigest: new.draftDigest, original: new.original, image: new.image,
        tableThumbnail: new.tableThumbnail, gridThumbnail: new.gridThumbnail))
    return meme.id
  }

  /// Returns the ids of what a search finds, page by page.
  func found(
    _ text: String, _ order: MemeListing.Order? = nil, by author: MemeListing.Author? = nil,
    for viewer: Principal = .anonymous, limit: Int = 10
  ) async throws -> [MemeID] {
    try await listed(
      for: viewer, .matching(try SearchQuery(text).words, by: author), order, limit: limit)
  }
}
