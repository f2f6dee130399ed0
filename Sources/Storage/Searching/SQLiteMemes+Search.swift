import Memes
import SQLite

/// How long one search may take the machine: FTS5 itself knows no bound for what it reads to find nothing.
let searchTime: Duration = .seconds(1)

extension MemeDirection {
  /// A place behind all memes of the same 1,024 numbers, on the way: of one that is hidden it tells no more than that it is among
  /// them.
  func rest(_ place: ListPosition) -> ListPosition {
    let block: Int64 = 1023
    let sequence =
      switch self {
      case .newest: max(1, place.sequence & ~block)
      case .oldest: place.sequence | block
      }
    guard let rank = place.rank, let ranking = place.ranking else {
      return ListPosition(sequence: sequence)
    }
    return ListPosition(sequence: sequence, rank: rank, by: ranking)
  }
}

/// After this time a search answers with what it has found. It goes on with the next page.
let searchSlice: Duration = .milliseconds(200)

/// Which memes a search finds, and which are liked: docs/decisions/0045 and 0046.
extension SQLiteMemes {
  /// By worth, and by number within the same worth.
  ///
  /// - Parameter end: when to stop if a page is not full by then.
  func found(
    by tiers: [String], after position: ListPosition?, _ count: Int,
    until end: ContinuousClock.Instant, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> Candidates<ListPosition> {
    var found = Candidates<ListPosition>([])
    for (rank, tier) in tiers.enumerated() where found.places.count < count && found.cut == nil {
      let rank = Int64(rank)
      if let position, let last = position.rank, rank < last { continue }
      let start = position.map { $0.rank == rank ? $0.sequence : .max } ?? .max
      let part = try matches(
        tier, .newest, behind: start, count - found.places.count, until: end, in: db)
      found.places += part.places.map { ListPosition(sequence: $0, rank: rank, by: .match) }
      found.cut = part.cut.map { ListPosition(sequence: $0, rank: rank, by: .match) }
    }
    return found
  }

  /// By number alone.
  func found(
    by match: String, _ direction: MemeDirection, after position: ListPosition?, _ count: Int,
    until end: ContinuousClock.Instant, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> Candidates<ListPosition> {
    let start = position?.sequence ?? direction.start
    let found = try matches(match, direction, behind: start, count, until: end, in: db)
    return Candidates(
      found.places.map { ListPosition(sequence: $0) },
      cut: found.cut.map { ListPosition(sequence: $0) })
  }

  /// In stretches of numbers: FTS5 itself does not stop between two rows that it finds, however far they are from each other.
  private func matches(
    _ match: String, _ direction: MemeDirection, behind start: Int64, _ count: Int,
    until end: ContinuousClock.Instant, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> Candidates<Int64> {
    var found = Candidates<Int64>([])
    let last = try db.first(Self.lastQuery) { row throws(SQLiteError) in try row[0] as Int64 }
    guard let last else { return found }
    var stretch = SearchStretch(behind: start, direction, last: last)
    while let edge = stretch.edge {
      let began = ContinuousClock.now
      found.places += try db.all(
        Self.matchQuery(direction), match, stretch.start, count - found.places.count, edge
      ) { row throws(SQLiteError) in try row[0] }
      if found.places.count >= count { return found }
      stretch.advance(after: .now - began)
      if stretch.edge != nil, ContinuousClock.now >= end {
        found.cut = edge
        return found
      }
    }
    return found
  }

  /// FTS5 gives rows in the order of their number, either way, and stops where nobody asks for more. It has a minus before it.
  static func matchQuery(_ direction: MemeDirection) -> String {
    """
    SELECT -rowid FROM meme_words
    WHERE meme_words MATCH ?1 AND rowid \(direction.opposite.behind) -?2
      AND rowid \(direction.opposite.upTo) -?4
    ORDER BY rowid \(direction.opposite.order) LIMIT ?3
    """
  }

  /// The highest number of a meme that has words.
  static let lastQuery = "SELECT -rowid FROM meme_words ORDER BY rowid LIMIT 1"

  /// What is for everybody, by popularity.
  func popular(
    after position: ListPosition?, _ count: Int, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> [ListPosition] {
    try db.all(
      Self.popularQuery, position?.rank ?? .max, position?.sequence ?? .max, count
    ) { row throws(SQLiteError) in
      ListPosition(sequence: try row[0], rank: try row[1] as Int64, by: .popularity)
    }
  }

  static let popularQuery = """
    SELECT seq, popularity FROM memes INDEXED BY memes_popular
    WHERE deleted_at IS NULL AND visibility = 0 AND (popularity, seq) < (?1, ?2)
    ORDER BY popularity DESC, seq DESC LIMIT ?3
    """
}
