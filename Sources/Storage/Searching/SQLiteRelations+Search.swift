package import Memes
import SQLite

/// Looking for people by the beginning of their username, or of the words of their name.
extension SQLiteRelations {
  package func people(
    matching query: PersonQuery, for viewer: Viewer, after position: PersonPosition?, limit: Int
  ) async throws(MemeError) -> FoundPeople {
    let sight = Sight(viewer)
    let longest = query.longest
    let all = Self.array(query.beginnings.map { "\"\($0)\"" })
    return try await readers.readLong(for: Requester.current?.turnText) { db throws(MemeError) in
      try db.within(searchTime) { () throws(MemeError) in
        let page = try candidatePage(limit: limit, after: position) {
          place, count throws(MemeError) in
          Candidates(
            try beginning(with: query.username, orWord: longest, after: place, count, in: db))
        } show: { places throws(MemeError) in
          let candidates = Self.array(
            places.map { place in
              "[\(place.sequence),\(place.isByUsername ? "null" : "\"\(place.word)\"")]"
            })
          let shown = try db.all(
            Self.shownQuery[sight], sight.person, candidates, longest, all, query.username
          ) { row throws(SQLiteError) in
            (index: try row[Profile.columnCount] as Int, profile: try Profile(row))
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
    in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> [PersonPosition] {
    var places: [PersonPosition] = []
    for (isByUsername, beginning) in [(true, username), (false, word)] {
      guard let beginning, places.count < count else { continue }
      if let position, isByUsername, !position.isByUsername { continue }
      let last = position?.isByUsername == isByUsername ? position : nil
      places += try db.all(
        Self.wordQuery, isByUsername ? 0 : 1, last?.word ?? beginning, last?.sequence ?? 0,
        beginning, count - places.count
      ) { row throws(SQLiteError) in
        PersonPosition(isByUsername: isByUsername, word: try row[0], sequence: try row[1])
      }
    }
    return places
  }

  /// Words of a kind that begin with `?4`, behind the place of `?2` and `?3`. No character is behind the last of Unicode.
  static let wordQuery = """
    SELECT word, user FROM user_words
    WHERE kind = ?1 AND (word, user) > (?2, ?3) AND word < ?4 || char(0x10FFFF)
    ORDER BY word, user LIMIT ?5
    """

  /// Of the candidates in `?2`, an array of `[users.seq, word]`, those whom the viewer sees, each with its index there.
  ///
  /// Who was found by a word is shown where that is the first of theirs to begin with `?3`, where they have others that begin with
  /// all that is in `?4`, and where they were not found by their username already, as `?5` begins. It is `null` for the others.
  static let shownQuery = SightedText { sight in
    """
    SELECT \(Profile.columns(sight)), wanted.key
    FROM json_each(?2) AS wanted CROSS JOIN users ON users.seq = \(candidate(0))
    WHERE \(sight.sees(person: "users.seq"))
      AND (\(candidate(1)) IS NULL
        OR (?5 IS NULL OR username < ?5 OR username >= ?5 || char(0x10FFFF))
        AND NOT EXISTS (
          SELECT 1 FROM user_words
          WHERE user = users.seq AND kind = 1 AND word >= ?3 AND word < \(candidate(1)))
        AND NOT EXISTS (
          SELECT 1 FROM json_each(?4) AS beginning WHERE NOT EXISTS (
            SELECT 1 FROM user_words
            WHERE user = users.seq AND kind = 1 AND word >= beginning.value
              AND word < beginning.value || char(0x10FFFF))))
    """
  }

  private static func candidate(_ part: Int) -> String {
    "json_extract(wanted.value, '$[\(part)]')"
  }

  /// Words have no characters that JSON would write otherwise.
  private static func array(_ parts: [String]) -> String { "[\(parts.joined(separator: ","))]" }
}
