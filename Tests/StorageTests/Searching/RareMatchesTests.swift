import Memes
import SQL
import Support
import Testing

@testable import Storage

/// Searches with a rare word, which find all matches at once.
struct RareMatchesTests {
  /// Inserts the words of memes 1, 2, 3 … into the index alone.
  private static func index(
    _ memes: [(captions: String, altText: String, author: Int64?)], in store: Scratch
  ) async throws {
    try await store.database.writer.transaction { db in
      for (number, meme) in memes.enumerated() {
        try db.run(
          "INSERT INTO meme_words (rowid, captions, alt_text, author) VALUES (?, ?, ?, ?)",
          -Int64(number + 1), meme.captions, meme.altText, meme.author.map(String.init) ?? "")
      }
    }
  }

  /// Every match, a few at a time.
  private static func all(
    _ part: (ListPosition?) throws -> Candidates<ListPosition>
  ) rethrows -> [ListPosition] {
    var (found, place) = ([ListPosition](), nil as ListPosition?)
    while true {
      let places = try part(place).places
      guard let last = places.last else { return found }
      found += places
      place = last
    }
  }

  @Test func `they are those of FTS5, in the same order`() async throws {
    try await withStore(on: [.sqlite]) { store in
      var random = SeededRandom(1)
      let words = ["cat", "dog", "1", "2", "猫", "犬", "😀"]
      func text(_ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &random))
          .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
      }
      var memes: [(captions: String, altText: String, author: Int64?)] = []
      for _ in 0..<200 {
        memes.append((text(0...6), text(0...3), [nil, 1, 2].randomElement(using: &random) ?? nil))
      }
      try await Self.index(memes, in: store)
      let queries = (0..<300).map { _ in
        (
          text(1...4).filter { $0 != " " || Bool.random(using: &random) },
          Int64.random(in: 1...3, using: &random)
        )
      }
      try await store.database.readers.read { db in
        var (found, ranks) = (0, Set<Int64?>())
        for (text, author) in queries {
          for match in [
            MemeMatch(SearchWords(text), author: nil), MemeMatch(SearchWords(text), author: author),
          ] {
            guard let rare = try store.memes.rareMatches(match, in: db) else {
              #expect(match.singleWords.count < 2)
              continue
            }
            let end = ContinuousClock.now + .seconds(600)
            let expected = try Self.all {
              try store.memes.found(ranking: match, after: $0, 7, until: end, in: db)
            }
            #expect(rare == expected, "\(text), \(author)")
            #expect(Self.all { rare.candidates(after: $0, 5) } == expected)
            found += rare.count
            ranks.formUnion(rare.map(\.rank))
          }
        }
        #expect(found > 1000 && ranks == [0, 1, 2])
      }
    }
  }

  @Test func `a word of more memes is not rare, and only some words are examined`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let count = MemeStore.rareCount
      var memes = (0..<count).map { _ in ("few many", "", nil as Int64?) }
      memes += [("many other", "", 1), ("other many", "few", 1)]
      try await Self.index(memes, in: store)
      try await store.database.readers.read { db in
        let last = Int64(count)
        for (text, author, expected) in [
          ("few many", nil, nil), ("other many", nil, [last + 2, last + 1]),
          ("few other", nil, [last + 2]), ("many", 1, [last + 2, last + 1]), ("few", 1, [last + 2]),
          ("many", nil, nil), ("other", nil, nil),
          ("few", 2, []), ("few no", nil, []),
        ] as [(String, Int64?, [Int64]?)] {
          let match = MemeMatch(SearchWords(text), author: author)
          let found = try store.memes.rareMatches(match, in: db)?.map(\.sequence)
          #expect(found == expected, "\(text)")
        }
      }
    }
  }
}
