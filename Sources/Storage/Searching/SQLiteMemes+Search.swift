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

/// Which memes a search finds, and which are liked: docs/decisions/0045 and 0046.
extension SQLiteMemes {
  /// By worth, and by number within the same worth.
  func found(
    by tiers: [String], after position: ListPosition?, _ count: Int,
    in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> [ListPosition] {
    var places: [ListPosition] = []
    for (rank, tier) in tiers.enumerated() where places.count < count {
      let rank = Int64(rank)
      if let position, let last = position.rank, rank < last { continue }
      let start = position.map { $0.rank == rank ? $0.sequence : .max } ?? .max
      let sequences = try matches(tier, .newest, behind: start, count - places.count, in: db)
      places += sequences.map { ListPosition(sequence: $0, rank: rank, by: .match) }
    }
    return places
  }

  /// By number alone.
  func found(
    by match: String, _ direction: MemeDirection, after position: ListPosition?, _ count: Int,
    in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> [ListPosition] {
    let start = position?.sequence ?? direction.start
    return try matches(match, direction, behind: start, count, in: db)
      .map { ListPosition(sequence: $0) }
  }

  private func matches(
    _ match: String, _ direction: MemeDirection, behind start: Int64, _ count: Int,
    in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> [Int64] {
    try db.all(Self.matchQuery(direction), match, start, count) { row throws(SQLiteError) in
      try row[0]
    }
  }

  /// FTS5 gives rows in the order of their number, either way, and stops where nobody asks for more. It has a minus before it.
  static func matchQuery(_ direction: MemeDirection) -> String {
    """
    SELECT -rowid FROM meme_words
    WHERE meme_words MATCH ?1 AND rowid \(direction.opposite.behind) -?2
    ORDER BY rowid \(direction.opposite.order) LIMIT ?3
    """
  }

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
