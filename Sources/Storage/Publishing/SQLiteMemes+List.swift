package import Memes
import SQLite

/// Lists, as each of their views shows them: a view reads what it shows and no more.
extension SQLiteMemes {
  package func page(_ listing: MemeListing) async throws(MemeError) -> Page<Meme> {
    try page(listing, Self.pageQuery) { row throws(SQLiteError) in try Meme(row) }
  }

  static let pageQuery = MemeQuery(memeColumns, memeParts)

  package func tableRows(_ listing: MemeListing) async throws(MemeError) -> Page<TableRow> {
    try page(listing, Self.tableQuery) { row throws(SQLiteError) in
      TableRow(
        id: try row.memeID(at: 1), author: try row.author(at: 9), version: try row[2],
        createdAt: try row.timestamp(at: 3),
        top: CaptionText(stored: try row[4]), bottom: CaptionText(stored: try row[5]),
        thumbnail: try PixelSize(row, at: 6), shareCount: try row[8])
    }
  }

  static let tableQuery = MemeQuery(
    """
    SELECT memes.seq, memes.id, memes.version, memes.created_at, memes.top, memes.bottom,
      pictures.width, pictures.height, memes.share_count,
      author.id, author.username, author.display_name, author.avatar
    """,
    """
    CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 2
    \(memeAuthor)
    """)

  package func gridCells(_ listing: MemeListing) async throws(MemeError) -> Page<GridCell> {
    try page(listing, Self.gridQuery) { row throws(SQLiteError) in
      GridCell(
        id: try row.memeID(at: 1), version: try row[2], altText: AltText(stored: try row[3]),
        thumbnail: try PixelSize(row, at: 4))
    }
  }

  static let gridQuery = MemeQuery(
    """
    SELECT memes.seq, memes.id, memes.version, memes.alt_text, pictures.width, pictures.height
    """,
    "CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3")

  private func page<Item>(
    _ listing: MemeListing, _ query: MemeQuery,
    decode: (borrowing Row) throws(SQLiteError) -> Item
  ) throws(MemeError) -> Page<Item> {
    try readers.read { db throws(MemeError) in
      switch listing.kind {
      case .newest(let author):
        try page(listing, by: author, .newest, query, in: db, decode: decode)
      case .oldest(let author):
        try page(listing, by: author, .oldest, query, in: db, decode: decode)
      case .feed(let person):
        try page(listing, query, in: db, decode: decode) { place, count throws(MemeError) in
          try feed(of: person, after: place, count, in: db)
        }
      case .popular:
        try page(listing, query, in: db, decode: decode) { place, count throws(MemeError) in
          try popular(after: place, count, in: db)
        }
      case .matching(let words, let author, let order):
        try page(listing, of: words, by: author, order, query, in: db, decode: decode)
      }
    }
  }

  private func page<Item>(
    _ listing: MemeListing, of words: SearchWords, by author: MemeListing.Author?,
    _ order: MemeListing.MatchOrder, _ query: MemeQuery, in db: borrowing Transaction<MemeError>,
    decode: (borrowing Row) throws(SQLiteError) -> Item
  ) throws(MemeError) -> Page<Item> {
    let number = try author.map { author throws(MemeError) in
      try relation(of: author, to: listing.viewer, in: db).number
    }
    let match = MemeMatch(words, author: number)
    return try page(listing, query, in: db, decode: decode) { place, count throws(MemeError) in
      switch order {
      case .worth: try found(by: match.tiers, after: place, count, in: db)
      case .newest: try found(by: match.anywhere, .newest, after: place, count, in: db)
      case .oldest: try found(by: match.anywhere, .oldest, after: place, count, in: db)
      }
    }
  }

  private func page<Item>(
    _ listing: MemeListing, by author: MemeListing.Author?, _ direction: MemeDirection,
    _ query: MemeQuery, in db: borrowing Transaction<MemeError>,
    decode: (borrowing Row) throws(SQLiteError) -> Item
  ) throws(MemeError) -> Page<Item> {
    let (selection, who) = try selection(for: listing.viewer, author, in: db)
    let start = listing.position?.sequence ?? direction.start
    return try Page(limit: listing.limit) { limit, note throws(MemeError) in
      try db.all(query[selection, direction], who, start, limit) { row throws(SQLiteError) in
        note(try row[0])
        return try decode(row)
      }
    }
  }

  /// - Returns: the way to go, and what is bound as its `?1`.
  private func selection(
    for viewer: Viewer, _ author: MemeListing.Author?, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> (MemeSelection, any Bindable) {
    let sight = Sight(viewer)
    guard let author else {
      switch viewer {
      case .administrator, .admin: return (.everything, sight.person)
      case .anonymous, .holder: return (.everybodys, sight.person)
      case .person: return (.seen, sight.person)
      }
    }
    let found = try relation(of: author, to: viewer, in: db)
    let selection: MemeSelection =
      if viewer.isAdmin || found.isOneself {
        .authorsToThemselves
      } else {
        found.isFriend ? .authorsToFriend : .authorsToAnybody
      }
    return (selection, found.number)
  }

  /// - Throws: ``MemeError/notFound`` where there is no such author for this viewer.
  private func relation(
    of author: MemeListing.Author, to viewer: Viewer, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> (number: Int64, isOneself: Bool, isFriend: Bool) {
    let sight = Sight(viewer)
    let (column, value): (String, any Bindable) =
      switch author {
      case .named(let username): ("username", username.text)
      case .person(let id): ("id", id.bytes)
      }
    let found = try db.first(
      """
      SELECT seq, seq IS \(Sight.asking), \(Sight.isFriend("users.seq")) FROM users
      WHERE \(column) = ?2 AND \(sight.sees(person: "users.seq"))
      """, sight.person, value
    ) { row throws(SQLiteError) in
      (number: try row[0] as Int64, isOneself: try row[1] as Bool, isFriend: try row[2] as Bool)
    }
    guard let found else { throw .notFound }
    return found
  }
}

extension Page {
  /// Reads one item more than asked for, which tells whether there is a next page.
  ///
  /// - Parameter read: gets how many to read, and what to call with the number of each one's row.
  init(
    limit: Int, read: (Int, (Int64) -> Void) throws(MemeError) -> [Item]
  ) throws(MemeError) {
    let limit = max(0, limit)
    var sequences: [Int64] = []
    var items = try read(limit + 1) { sequences.append($0) }
    guard items.count > limit else {
      self.init(items: items, next: nil)
      return
    }
    items.removeLast()
    sequences.removeLast()
    self.init(items: items, next: sequences.last.map(ListPosition.init(sequence:)))
  }
}
