package import Memes
import SQL

/// Searches for people by a prefix of their username, or by prefixes of the words in their display name.
extension RelationStore {
  /// A page of users, by a prefix of their username or of words in their display name. Matches by username come first.
  /// Each kind is sorted by the matched name or word. Users who block the viewer, or whom the viewer blocks, are left
  /// out.
  package func people(
    matching query: PersonQuery, for viewer: Principal, after position: PersonPosition?, limit: Int
  ) async throws -> FoundPeople {
    let policy = AccessPolicy(viewer)
    let longest = query.longest
    let all = Self.array(query.beginnings.map { "[\"\($0)\",\"\(Self.end(of: $0))\"]" })
    return try await readers.readLong(for: Requester.current?.turnText) { db in
      try db.within(searchTime) {
        let page = try candidatePage(limit: limit, after: position) {
          place, count in
          Candidates(
            try beginning(with: query.username, orWord: longest, after: place, count, in: db))
        } show: { places in
          let candidates = Self.array(
            places.map { place in
              "[\(place.sequence),\(place.isByUsername ? "null" : "\"\(place.word)\"")]"
            })
          let shown = try db.all(
            Self.shownQuery[policy], policy.person, candidates, longest, all, query.username,
            query.username.map(Self.end)
          ) { row in
            (index: try row.next() as Int, profile: try Profile(&row))
          }
          let profiles = Dictionary(shown.map { ($0.index, $0.profile) }) { first, _ in first }
          return places.indices.map { profiles[$0] }
        }
        return FoundPeople(items: page.items, next: page.next)
      }
    }
  }

  private func beginning(
    with username: String?, orWord word: String?, after position: PersonPosition?, _ count: Int,
    in db: borrowing Transaction
  ) throws -> [PersonPosition] {
    var places: [PersonPosition] = []
    for (isByUsername, beginning) in [(true, username), (false, word)] {
      guard let beginning, places.count < count else { continue }
      if let position, isByUsername, !position.isByUsername { continue }
      let last = position?.isByUsername == isByUsername ? position : nil
      places += try db.all(
        Self.wordQuery, isByUsername ? 0 : 1, last?.word ?? beginning, last?.sequence ?? 0,
        Self.end(of: beginning), count - places.count
      ) { row in
        PersonPosition(isByUsername: isByUsername, word: try row.next(), sequence: try row.next())
      }
    }
    return places
  }

  /// The end of the range of words with a prefix: no character sorts after the last one of Unicode.
  private static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }

  /// Selects the words of a kind before the end `?4` of a range, after the position of `?2` and `?3`.
  static let wordQuery = """
    SELECT word, user FROM user_words
    WHERE kind = ?1 AND (word, user) > (?2, ?3) AND word < ?4
    ORDER BY word, user LIMIT ?5
    """

  /// Selects the people among the candidates whom the viewer may see, each with the index of its candidate. `?2` is a
  /// JSON array of `[users.seq, word]`. The word is `null` if the person was found by username.
  ///
  /// A person who was found by a word is shown only under these conditions:
  ///
  /// - The word is the person's first one with the prefix `?3`.
  /// - The person has a word in each range of `?4`, which are pairs of a prefix and its end.
  /// - The username does not have the prefix `?5`, whose end is `?6`. Otherwise the person has already been found by
  ///   username.
  static let shownQuery = PerViewerSQL { policy in
    """
    SELECT wanted.key, \(Profile.columns(policy))
    FROM json_each(?2) AS wanted CROSS JOIN users ON users.seq = CAST(wanted.value ->> 0 AS bigint)
    WHERE \(policy.sees(person: "users.seq"))
      AND (wanted.value ->> 1 IS NULL
        OR (?5 IS NULL OR username < ?5 OR username >= ?6)
        AND NOT EXISTS (
          SELECT 1 FROM user_words
          WHERE user = users.seq AND kind = 1 AND word >= ?3 AND word < wanted.value ->> 1)
        AND NOT EXISTS (
          SELECT 1 FROM json_each(?4) AS beginning WHERE NOT EXISTS (
            SELECT 1 FROM user_words
            WHERE user = users.seq AND kind = 1 AND word >= beginning.value ->> 0
              AND word < beginning.value ->> 1)))
    """
  }

  /// Words contain no characters that JSON must escape.
  private static func array(_ parts: [String]) -> String { "[\(parts.joined(separator: ","))]" }
}
