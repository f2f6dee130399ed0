import Memes
import SQL

/// The maximum duration of one search. FTS5 itself has no limit on the data that it reads to find nothing.
let searchTime: Duration = .seconds(1)

extension MemeDirection {
  /// The last number, in this direction, of the block of 1,024 numbers that contains this one.
  func edge(_ sequence: Int64) -> Int64 {
    let block: Int64 = 1023
    return switch self {
    case .newest: max(1, sequence & ~block)
    case .oldest: sequence | block
    }
  }

  /// The end of the block that contains a position. It reveals no more about a hidden meme than its block.
  func rest(_ place: ListPosition) -> ListPosition {
    guard let rank = place.rank, let ranking = place.ranking else {
      return ListPosition(sequence: edge(place.sequence))
    }
    return ListPosition(sequence: edge(place.sequence), rank: rank, by: ranking)
  }
}

/// After this time, a search returns its results so far. The next page continues it.
let searchSlice: Duration = .milliseconds(200)

/// Which matches of a search to read.
struct MatchWalk {
  /// `nil` for all ranks.
  let rank: MemeMatch.Rank?
  let direction: MemeDirection
  /// The number after which the walk begins.
  let start: Int64
  /// The maximum number of matches.
  let count: Int
}

/// Finds the memes that match a search, and the popular memes: docs/decisions/0045 and 0046.
extension MemeStore {
  /// Finds memes by rank, and by number within a rank.
  ///
  /// - Parameter end: the time to stop if the page is not full.
  func found(
    ranking match: MemeMatch, after position: ListPosition?, _ count: Int,
    until end: ContinuousClock.Instant, in db: borrowing Transaction
  ) throws -> Candidates<ListPosition> {
    var found = Candidates<ListPosition>([])
    for (number, rank) in match.ranks.enumerated()
    where found.places.count < count && found.cut == nil {
      let place = Int64(number)
      if let position, let last = position.rank, place < last { continue }
      let start = position.map { $0.rank == place ? $0.sequence : .max } ?? .max
      let walk = MatchWalk(
        rank: rank, direction: .newest, start: start, count: count - found.places.count)
      let part = try matches(match, walk, until: end, in: db)
      found.places += part.places.map { ListPosition(sequence: $0, rank: place, by: .match) }
      found.cut = part.cut.map { ListPosition(sequence: $0, rank: place, by: .match) }
    }
    return found
  }

  /// Finds memes by number alone.
  func found(
    by match: MemeMatch, _ direction: MemeDirection, after position: ListPosition?, _ count: Int,
    until end: ContinuousClock.Instant, in db: borrowing Transaction
  ) throws -> Candidates<ListPosition> {
    let walk = MatchWalk(
      rank: nil, direction: direction, start: position?.sequence ?? direction.start, count: count)
    let found = try matches(match, walk, until: end, in: db)
    return Candidates(
      found.places.map { ListPosition(sequence: $0) },
      cut: found.cut.map { ListPosition(sequence: $0) })
  }

  /// Stops after `end` at the first match of another block of 1,024 numbers, so that the position at which a search
  /// stops reveals nothing about a hidden meme. FTS5 cannot be stopped between two matches: despite a bound on the
  /// number, it reads on to the next match, however far away.
  private func matches(
    _ match: MemeMatch, _ walk: MatchWalk, until end: ContinuousClock.Instant,
    in db: borrowing Transaction
  ) throws -> Candidates<Int64> {
    let direction = walk.direction
    var (last, cut) = (nil as Int64?, nil as Int64?)
    func isPastEnd(_ place: Int64) -> Bool {
      if let last, direction.edge(last) != direction.edge(place), ContinuousClock.now >= end {
        cut = direction.edge(last)
        return true
      }
      last = place
      return false
    }
    guard db.dialect == .sqlite else {
      let places = try places(matching: match, walk, until: isPastEnd, in: db)
      return Candidates(places, cut: cut)
    }
    let places = try db.all(
      Self.matchQuery(direction), match.fullText(walk.rank), walk.start, walk.count,
      until: isPastEnd
    ) { row in
      try row.next() as Int64
    }
    return Candidates(places, cut: cut)
  }

  /// FTS5 returns rows in the order of their rowid, in either direction, and stops when no more rows are requested. The
  /// rowid is the negated number of the meme.
  static func matchQuery(_ direction: MemeDirection) -> String {
    """
    SELECT -rowid FROM meme_words
    WHERE meme_words MATCH ?1 AND rowid \(direction.opposite.behind) -?2
    ORDER BY rowid \(direction.opposite.order) LIMIT ?3
    """
  }

  /// Finds public memes by popularity.
  func popular(
    after position: ListPosition?, _ count: Int, in db: borrowing Transaction
  ) throws -> [ListPosition] {
    try db.all(
      Self.popularQuery, position?.rank ?? .max, position?.sequence ?? .max, count
    ) { row in
      ListPosition(sequence: try row.next(), rank: try row.next() as Int64, by: .popularity)
    }
  }

  static let popularQuery = """
    SELECT seq, popularity FROM memes INDEXED BY memes_popular
    WHERE deleted_at IS NULL AND visibility = 0 AND (popularity, seq) < (?1, ?2)
    ORDER BY popularity DESC, seq DESC LIMIT ?3
    """
}
