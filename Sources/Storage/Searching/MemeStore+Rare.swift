import Memes
import SQL

/// The matches of a search with a rare word, on SQLite.
///
/// Each rank of a search is a walk of FTS5 through the lists of all words, which grow with the site. If the walk of one
/// rank finds few memes, there is one of the next. The matches of a rare word are few, and one walk finds all of them.
extension MemeStore {
  /// The maximum number of memes with a rare word.
  static let rareCount = 256
  /// The number of words of a search of which one may be rare. Each of them costs one lookup.
  private static let examined = 8

  /// All matches of a search, by rank.
  ///
  /// - Returns: `nil` if no word is rare, or if the search has only one.
  func rareMatches(
    _ match: MemeMatch, in db: borrowing Transaction
  ) throws -> [ListPosition]? {
    guard db.dialect == .sqlite else { return nil }
    let words = match.singleWords.prefix(Self.examined)
    guard words.count > 1, try words.contains(where: { try isRare($0, in: db) }) else { return nil }
    let matches = try db.all(Self.wordsQuery, match.fullText(nil), Self.rareCount, 0) { row in
      let number: Int64 = try row.next()
      let meme = MemePieces(captions: try row.next(), altText: try row.next())
      // Every match has a rank, unless the index was written with another definition of a word.
      let rank = match.ranks.firstIndex { match.accepts(meme, $0) } ?? match.ranks.count - 1
      return ListPosition(sequence: number, rank: Int64(rank), by: .match)
    }
    return matches.sorted { $0.precedes($1) }
  }

  private func isRare(_ word: String, in db: borrowing Transaction) throws -> Bool {
    try !db.exists(Self.wordsQuery, word, 1, Self.rareCount)
  }

  static let wordsQuery = """
    SELECT -rowid, captions, alt_text FROM meme_words
    WHERE meme_words MATCH ?1 ORDER BY rowid LIMIT ?2 OFFSET ?3
    """
}

extension [ListPosition] {
  /// The positions after the end of the previous page.
  func candidates(after place: ListPosition?, _ count: Int) -> Candidates<ListPosition> {
    guard let place else { return Candidates(Array(prefix(count))) }
    return Candidates(Array(drop { !place.precedes($0) }.prefix(count)))
  }
}

extension ListPosition {
  /// Whether this position is before another one in a list by rank, and from newest to oldest within a rank.
  fileprivate func precedes(_ other: ListPosition) -> Bool {
    let (rank, otherRank) = (rank ?? -1, other.rank ?? -1)
    return rank == otherRank ? sequence > other.sequence : rank < otherRank
  }
}
