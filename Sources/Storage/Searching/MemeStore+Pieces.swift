import Memes
import SQL

/// Searches on PostgreSQL, in a table of the words' pieces. It walks the memes with one piece in the order of their
/// numbers, and looks for the other pieces by the key.
extension MemeStore {
  /// The number of memes to read at once.
  private static let batch = 64
  /// The number of entries of the index that say how frequent a piece is.
  private static let sample = 256

  func places(
    matching match: MemeMatch, _ walk: MatchWalk, until isPastEnd: (Int64) -> Bool,
    in db: borrowing Transaction
  ) throws -> [Int64] {
    let pieces = try rarestFirst(match, walk, in: db)
    guard let first = pieces.first else { return [] }
    if match.isOnePiece { return try places(of: first, match, walk, until: isPastEnd, in: db) }
    let others = piecesArray(pieces.dropFirst().map { ($0, 0) })
    let query = Self.piecesQuery(walk.direction, hasAuthor: match.author != nil)
    var (found, last) = ([Int64](), walk.start)
    while true {
      let batch = try db.all(
        query, first, last, Self.batch, others, walk.lastPlace, match.author
      ) { row in (seq: try row.next() as Int64, words: try MemeWords(&row)) }
      for meme in batch {
        if isPastEnd(meme.seq) { return found }
        if match.accepts(MemePieces(meme.words), walk.rank) { found.append(meme.seq) }
        if found.count == walk.count { return found }
      }
      guard batch.count == Self.batch, let end = batch.last else { return found }
      last = end.seq
    }
  }

  /// The memes with a single piece. Their texts are not read, because the index says where the piece is.
  private func places(
    of piece: String, _ match: MemeMatch, _ walk: MatchWalk, until isPastEnd: (Int64) -> Bool,
    in db: borrowing Transaction
  ) throws -> [Int64] {
    let query = Self.pieceQuery(walk.direction, hasAuthor: match.author != nil)
    let wanted = (walk.rank == .rest ? 1 : 0)...walk.lastPlace
    var (found, last) = ([Int64](), walk.start)
    while true {
      let batch = try db.all(query, piece, last, Self.batch, match.author) { row in
        (seq: try row.next() as Int64, place: try row.next() as Int)
      }
      for meme in batch {
        if isPastEnd(meme.seq) { return found }
        if wanted.contains(meme.place) { found.append(meme.seq) }
        if found.count == walk.count { return found }
      }
      guard batch.count == Self.batch, let end = batch.last else { return found }
      last = end.seq
    }
  }

  /// The pieces of a search, the rarest one first: it has few memes, or its next ones are the furthest away.
  private func rarestFirst(
    _ match: MemeMatch, _ walk: MatchWalk, in db: borrowing Transaction
  ) throws -> [String] {
    let pieces = match.pieces
    guard pieces.count > 1 else { return pieces }
    let query = Self.reachQuery(walk.direction, hasAuthor: match.author != nil)
    let reaches = try db.all(
      query, piecesArray(pieces.map { ($0, 0) }), walk.start, Self.sample - 1, match.author
    ) { row in
      // Of several pieces that have fewer memes, none is known to be rarer.
      guard let reach = try row.next() as Int64? else { return Int64.min }
      return walk.direction == .newest ? reach : -reach
    }
    return zip(reaches, pieces).enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
  }

  /// `?5` is the last place of a piece that counts: 0 in the captions, 1 anywhere.
  static func piecesQuery(_ direction: MemeDirection, hasAuthor: Bool) -> String {
    """
    SELECT found.meme, memes.top, memes.bottom, memes.captions, memes.alt_text, memes.tags
    FROM meme_words AS found JOIN memes ON memes.seq = found.meme
    WHERE found.word = ?1 AND found.meme \(direction.behind) ?2 AND found.place <= ?5
      AND \(isWanted("?6", hasAuthor))
      AND NOT EXISTS (
        SELECT 1 FROM json_each(?4) AS piece WHERE NOT EXISTS (
          SELECT 1 FROM meme_words AS other
          WHERE other.word = piece.value ->> 0 AND other.meme = found.meme AND other.place <= ?5))
    ORDER BY found.meme \(direction.order) LIMIT ?3
    """
  }

  static func pieceQuery(_ direction: MemeDirection, hasAuthor: Bool) -> String {
    """
    SELECT found.meme, found.place FROM meme_words AS found
    WHERE found.word = ?1 AND found.meme \(direction.behind) ?2 AND \(isWanted("?4", hasAuthor))
    ORDER BY found.meme \(direction.order) LIMIT ?3
    """
  }

  /// The `?3`-th meme with each piece of an array, counted from 0; NULL if there are fewer.
  static func reachQuery(_ direction: MemeDirection, hasAuthor: Bool) -> String {
    """
    SELECT (
      SELECT found.meme FROM meme_words AS found
      WHERE found.word = piece.value ->> 0 AND found.meme \(direction.behind) ?2
        AND \(isWanted("?4", hasAuthor))
      ORDER BY found.meme \(direction.order) LIMIT 1 OFFSET ?3)
    FROM json_each(?1) AS piece ORDER BY piece.key
    """
  }

  private static func isWanted(_ author: String, _ hasAuthor: Bool) -> String {
    hasAuthor ? "found.author = \(author)" : "CAST(\(author) AS bigint) IS NULL"
  }
}

extension MatchWalk {
  fileprivate var lastPlace: Int { rank == .phrase || rank == .captions ? 0 : 1 }
}

extension MemeWords {
  /// Decodes the captions, the alt text and the tags of a row of `memes`.
  init(_ row: inout Row) throws {
    self.init(
      // A damaged row, which `mememe check` reports, must not block the others.
      captions: [CaptionText(stored: try row.next()), CaptionText(stored: try row.next())]
        + ((try? StoredCaption.decode(try row.next())) ?? []).map(\.text),
      altText: AltText(stored: try row.next()),
      tags: (try? StoredTags.decode(try row.next())) ?? [])
  }

  /// Each piece with its place: 0 if it is in the captions, 1 if it is only in the alt text.
  fileprivate var places: [(piece: String, place: Int)] {
    let inCaptions = Set(captions.pieces)
    return inCaptions.map { ($0, 0) }
      + Set(altText.pieces).subtracting(inCaptions).map { ($0, 1) }
  }
}

/// Pieces as a JSON array. They contain no characters that JSON must escape.
private func piecesArray(_ pieces: [(piece: String, place: Int)]) -> String {
  "[\(pieces.map { "[\"\($0.piece)\",\($0.place)]" }.joined(separator: ","))]"
}

/// Inserts the pieces of a meme's words into the table for PostgreSQL.
func insertPieces(
  _ words: MemeWords, of meme: Int64, by author: Int64?, in db: borrowing Transaction
) throws {
  // All writers take the keys in the same order.
  let pieces = words.places.sorted { $0.piece < $1.piece }
  try db.post(
    """
    INSERT INTO meme_words (word, meme, author, place)
    SELECT piece.value ->> 0, ?2, ?3, CAST(piece.value ->> 1 AS smallint) FROM json_each(?1) AS piece
    """, piecesArray(pieces), meme, author)
}

/// Replaces the pieces of a meme, unless they are to be inserted later.
func updatePieces(
  _ words: MemeWords, of meme: Int64, in db: borrowing Transaction
) throws {
  let found = try db.first(
    "SELECT author FROM memes WHERE seq = ? AND seq >= (SELECT memes_before FROM wordless)", meme
  ) { row in try row.next() as Int64? }
  guard let author = found else { return }
  try db.run("DELETE FROM meme_words WHERE meme = ?", meme)
  try insertPieces(words, of: meme, by: author, in: db)
}
