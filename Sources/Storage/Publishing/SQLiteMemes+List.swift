package import Memes
import SQLite

/// Lists, as each of their views shows them: a view reads what it shows and no more.
extension SQLiteMemes {
  package func page(_ listing: MemeListing) async throws(MemeError) -> Page<Meme> {
    try await page(listing, Self.pageQuery) { row throws(SQLiteError) in try Meme(row) }
  }

  static let pageQuery = MemeQuery(memeParts, memeColumns)

  package func tableRows(_ listing: MemeListing) async throws(MemeError) -> Page<TableRow> {
    try await page(listing, Self.tableQuery) { row throws(SQLiteError) in
      TableRow(
        id: try row.memeID(at: 1), author: try row.author(at: 8), version: try row[2],
        createdAt: try row.timestamp(at: 3),
        top: CaptionText(stored: try row[4]), bottom: CaptionText(stored: try row[5]),
        firstBox: (try row[17] as String?).map(CaptionText.init(stored:)),
        altText: AltText(stored: try row[16]), thumbnail: try PixelSize(row, at: 6),
        counts: try MemeCounts(row, at: 12))
    }
  }

  static let tableQuery = MemeQuery(
    """
    CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 2
    \(memeAuthor)
    """
  ) { sight in
    """
    memes.id, memes.version, memes.created_at, memes.top, memes.bottom,
    pictures.width, pictures.height,
    author.id, author.username, author.display_name, author.avatar, \(countColumns(sight)),
    memes.alt_text, CASE WHEN memes.captions <> '[]' THEN json_extract(memes.captions, '$[0].text') END
    """
  }

  package func gridCells(_ listing: MemeListing) async throws(MemeError) -> Page<GridCell> {
    try await page(listing, Self.gridQuery) { row throws(SQLiteError) in
      GridCell(
        id: try row.memeID(at: 1), version: try row[2], altText: AltText(stored: try row[3]),
        thumbnail: try PixelSize(row, at: 4))
    }
  }

  static let gridQuery = MemeQuery(
    "CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3"
  ) { _ in "memes.id, memes.version, memes.alt_text, pictures.width, pictures.height" }

  private func page<Item>(
    _ listing: MemeListing, _ query: MemeQuery,
    decode: @escaping @Sendable (borrowing Row) throws(SQLiteError) -> Item
  ) async throws(MemeError) -> Page<Item> {
    guard !listing.scope.isEmpty else { return Page(items: [], next: nil) }
    let read = { @Sendable (db: borrowing Transaction<MemeError>) throws(MemeError) in
      switch listing.scope {
      case .everybodys, .author, .favorites:
        try listed(listing, query, in: db, decode: decode)
      case .feed:
        try page(listing, query, in: db, decode: decode) { place, count throws(MemeError) in
          Candidates(try feed(of: listing.viewer, after: place, count, in: db))
        }
      case .popular:
        try page(listing, query, in: db, decode: decode) { place, count throws(MemeError) in
          Candidates(try popular(after: place, count, in: db))
        }
      case .matching(let words, let author):
        try page(listing, of: words, by: author, query, in: db, decode: decode)
      }
    }
    return listing.scope.isLong
      ? try await readers.readLong(for: Requester.current?.turnText, read)
      : try readers.read(read)
  }

  private func page<Item>(
    _ listing: MemeListing, of words: SearchWords, by author: MemeListing.Author?,
    _ query: MemeQuery, in db: borrowing Transaction<MemeError>,
    decode: (borrowing Row) throws(SQLiteError) -> Item
  ) throws(MemeError) -> Page<Item> {
    let number = try author.map { author throws(MemeError) in
      try relation(of: author, to: Sight(listing.viewer), in: db).number
    }
    let match = MemeMatch(words, author: number)
    let direction: MemeDirection = listing.order == .oldest ? .oldest : .newest
    let end = ContinuousClock.now + searchSlice
    return try db.within(searchTime) { () throws(MemeError) in
      try page(listing, query, in: db, decode: decode, rest: direction.rest) {
        place, count throws(MemeError) in
        guard listing.order == nil else {
          return try found(by: match.anywhere, direction, after: place, count, until: end, in: db)
        }
        return try found(by: match.tiers, after: place, count, until: end, in: db)
      }
    }
  }

  /// A page of what an index of `memes` has in its order.
  private func listed<Item>(
    _ listing: MemeListing, _ query: MemeQuery, in db: borrowing Transaction<MemeError>,
    decode: (borrowing Row) throws(SQLiteError) -> Item
  ) throws(MemeError) -> Page<Item> {
    let sight = Sight(listing.viewer)
    let (selection, author) = try selection(for: listing, sight, in: db)
    let direction: MemeDirection = listing.order == .oldest ? .oldest : .newest
    let text = query[selection, sight, direction]
    var start = listing.position?.sequence ?? direction.start
    return try Page(limit: listing.limit) { limit, note throws(MemeError) in
      func read(_ row: borrowing Row) throws(SQLiteError) -> Item {
        note(try row[0])
        return try decode(row)
      }
      if let author {
        return try db.all(text, sight.person, start, limit, author, decode: read)
      }
      var items: [Item] = []
      if selection == .seen, let person = sight.viewer.person {
        // Most of what there is, is for everybody: two pages nearly always have one that this person sees.
        let walk = try ListWalk(of: person, direction, from: start, atLeast: 2 * limit, in: db)
        let text = query[.seenOnWalk, sight, direction]
        items = try db.all(text, sight.person, start, limit, walk.end, decode: read)
        start = walk.end
        if items.count == limit || !walk.isCut { return items }
      }
      return try items + db.all(text, sight.person, start, limit - items.count, decode: read)
    } ending: { () throws(MemeError) in
      guard let stretch = selection.stretch(direction) else { return nil }
      return try db.first(stretch.query, sight.person, start) {
        row throws(SQLiteError) in try row[0]
      }
    }
  }

  /// - Returns: the way to go, and whose memes they are where they are one author's.
  private func selection(
    for listing: MemeListing, _ sight: Sight, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> (MemeSelection, author: Int64?) {
    if case .favorites = listing.scope { return (.favorites, nil) }
    if case .author(let author) = listing.scope {
      let found = try relation(of: author, to: sight, in: db)
      if sight.viewer.isAdmin || found.isOneself { return (.authorsToThemselves, found.number) }
      return (found.isFriend ? .authorsToFriend : .authorsToAnybody, found.number)
    }
    switch listing.viewer {
    case .administrator, .admin: return (.everything, nil)
    case .anonymous, .holder: return (.everybodys, nil)
    case .person: return (.seen, nil)
    }
  }

  /// - Throws: ``MemeError/notFound`` where there is no such author for this viewer.
  private func relation(
    of author: MemeListing.Author, to sight: Sight, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> (number: Int64, isOneself: Bool, isFriend: Bool) {
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

extension MemeListing.Scope {
  /// Whether it may take longer than a thread may keep other connections waiting.
  fileprivate var isLong: Bool {
    switch self {
    case .feed, .matching: true
    case .everybodys, .author, .favorites, .popular: false
    }
  }
}

extension Page {
  /// Reads one item more than asked for, which tells whether there is a next page.
  ///
  /// - Parameters:
  ///   - read: gets how many to read, and what to call with the number of each one's row.
  ///   - end: is asked where there are no more than that: the row up to which was looked, where there are others behind it.
  init(
    limit: Int, read: (Int, (Int64) -> Void) throws(MemeError) -> [Item],
    ending end: () throws(MemeError) -> Int64? = { () throws(MemeError) in nil }
  ) throws(MemeError) {
    let limit = max(0, limit)
    var sequences: [Int64] = []
    var items = try read(limit + 1) { sequences.append($0) }
    guard items.count > limit else {
      self.init(items: items, next: try end().map(ListPosition.init(sequence:)))
      return
    }
    items.removeLast()
    sequences.removeLast()
    self.init(items: items, next: sequences.last.map(ListPosition.init(sequence:)))
  }
}
