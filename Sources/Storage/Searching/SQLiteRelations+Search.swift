package import Memes
import SQLite

/// Looking for people by the beginning of their username, or of the words of their name.
extension SQLiteRelations {
  package func people(
    matching query: PersonQuery, for viewer: Viewer, after position: PersonPosition?, limit: Int
  ) async throws(MemeError) -> FoundPeople {
    let sight = Sight(viewer)
    let longest = query.longest
    // Words have no characters that JSON would write otherwise.
    let all = "[\(query.beginnings.map { "\"\($0)\"" }.joined(separator: ","))]"
    return try readers.read { db throws(MemeError) in
      try db.within(searchTime) { () throws(MemeError) in
        let page = try candidatePage(limit: limit, after: position) {
          place, count throws(MemeError) in
          try beginning(with: query.username, orWord: longest, after: place, count, in: db)
        } show: { places throws(MemeError) in
          try places.map { place throws(MemeError) in
            let decode = { (row: borrowing Row) throws(SQLiteError) in try Profile(row) }
            if place.isByUsername {
              return try db.first(
                Self.knownQuery[sight], sight.person, place.sequence, decode: decode)
            }
            return try db.first(
              Self.namedQuery[sight], sight.person, place.sequence, place.word, longest, all,
              query.username, decode: decode)
          }
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

  /// The person `?2`, where the viewer sees them.
  private static let knownQuery = SightedText { sight in
    """
    SELECT \(Profile.columns(sight)) FROM users
    WHERE users.seq = ?2 AND \(sight.sees(person: "users.seq"))
    """
  }

  /// The person `?2`, found by the word `?3`, where that is the first of theirs to begin with `?4`, where they have others that
  /// begin with all that is in `?5`, and where they were not found by their username already, as `?6` begins.
  static let namedQuery = SightedText { sight in
    """
    \(knownQuery[sight])
      AND NOT EXISTS (
        SELECT 1 FROM user_words WHERE user = ?2 AND kind = 1 AND word >= ?4 AND word < ?3)
      AND NOT EXISTS (
        SELECT 1 FROM json_each(?5) AS wanted WHERE NOT EXISTS (
          SELECT 1 FROM user_words
          WHERE user = ?2 AND kind = 1 AND word >= wanted.value
            AND word < wanted.value || char(0x10FFFF)))
      AND (?6 IS NULL OR username < ?6 OR username >= ?6 || char(0x10FFFF))
    """
  }
}
