package import Memes
import SQL

/// Lists of memes. Each view reads only the columns that it shows.
extension MemeStore {
  /// A page of memes.
  ///
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the author of the list.
  package func page(_ listing: MemeListing) async throws -> Page<Meme> {
    try await page(listing, Self.pageQuery) { row in try Meme(&row) }
  }

  static let pageQuery = MemeQuery(memeParts, memeColumns)

  /// The same page, as rows of a table.
  package func tableRows(_ listing: MemeListing) async throws -> Page<TableRow> {
    try await page(listing, Self.tableQuery) { row in
      TableRow(
        id: try row.nextMemeID(),
        author: try row.nextAuthor(),
        version: try row.next(), createdAt: try row.nextTimestamp(),
        top: CaptionText(stored: try row.next()), bottom: CaptionText(stored: try row.next()),
        firstBox: (try row.next() as String?).map(CaptionText.init(stored:)),
        altText: AltText(stored: try row.next()), thumbnail: try PixelSize(&row),
        counts: try MemeCounts(&row))
    }
  }

  static let tableQuery = MemeQuery(
    """
    CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 2
    \(memeAuthor)
    """
  ) { policy in
    """
    memes.id,
    author.id, author.username, author.display_name, author.avatar,
    memes.version, memes.created_at, memes.top, memes.bottom,
    CASE WHEN memes.captions <> '[]' THEN json_extract(memes.captions, '$[0].text') END,
    memes.alt_text, pictures.width, pictures.height, \(countColumns(policy))
    """
  }

  /// The same page, as cells of a grid.
  package func gridCells(_ listing: MemeListing) async throws -> Page<GridCell> {
    try await page(listing, Self.gridQuery) { row in
      GridCell(
        id: try row.nextMemeID(), version: try row.next(), altText: AltText(stored: try row.next()),
        thumbnail: try PixelSize(&row))
    }
  }

  static let gridQuery = MemeQuery(
    "CROSS JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3"
  ) { _ in "memes.id, memes.version, memes.alt_text, pictures.width, pictures.height" }

  private func page<Item>(
    _ listing: MemeListing, _ query: MemeQuery,
    decode: @escaping @Sendable (inout Row) throws -> Item
  ) async throws -> Page<Item> {
    guard !listing.scope.isEmpty else { return Page(items: [], next: nil) }
    let read = { @Sendable (db: borrowing Transaction) in
      switch listing.scope {
      case .everybodys, .author, .favorites, .tagged, .remixes:
        try listed(listing, query, in: db, decode: decode)
      case .feed:
        try page(listing, query, in: db, decode: decode) { place, count in
          Candidates(try feed(of: listing.viewer, after: place, count, in: db))
        }
      case .popular:
        try page(listing, query, in: db, decode: decode) { place, count in
          Candidates(try popular(after: place, count, in: db))
        }
      case .matching(let words, let author):
        try page(listing, of: words, by: author, query, in: db, decode: decode)
      }
    }
    return listing.scope.isLong
      ? try await readers.readLong(for: Requester.current?.turnText, read)
      : try await readers.read(read)
  }

  private func page<Item>(
    _ listing: MemeListing, of words: SearchWords, by author: MemeListing.Author?,
    _ query: MemeQuery, in db: borrowing Transaction,
    decode: (inout Row) throws -> Item
  ) throws -> Page<Item> {
    let number = try author.map { author in
      try relation(of: author, to: AccessPolicy(listing.viewer), in: db).number
    }
    let match = MemeMatch(words, author: number)
    let direction: MemeDirection = listing.order == .oldest ? .oldest : .newest
    let end = ContinuousClock.now + searchSlice
    return try db.within(searchTime) {
      let rare = listing.order == nil ? try rareMatches(match, in: db) : nil
      return try page(listing, query, in: db, decode: decode, rest: direction.rest) {
        place, count in
        if let rare { return rare.candidates(after: place, count) }
        guard listing.order == nil else {
          return try found(by: match, direction, after: place, count, until: end, in: db)
        }
        return try found(ranking: match, after: place, count, until: end, in: db)
      }
    }
  }

  /// A page of a list whose order is that of an index.
  private func listed<Item>(
    _ listing: MemeListing, _ query: MemeQuery, in db: borrowing Transaction,
    decode: (inout Row) throws -> Item
  ) throws -> Page<Item> {
    let policy = AccessPolicy(listing.viewer)
    let (selection, subject) = try selection(for: listing, policy, in: db)
    let direction: MemeDirection = listing.order == .oldest ? .oldest : .newest
    let text = query[selection, policy, direction]
    var start = listing.position?.sequence ?? direction.start
    return try Page(limit: listing.limit) { limit, note in
      func read(_ row: inout Row) throws -> Item {
        note(try row.next())
        return try decode(&row)
      }
      switch subject {
      case nil: break
      case .author(let number):
        return try db.all(text, policy.person, start, limit, number, decode: read)
      case .tag(let tag):
        return try db.all(text, policy.person, start, limit, tag.text, decode: read)
      case .source(let id):
        return try db.all(text, policy.person, start, limit, id.bytes, decode: read)
      }
      var items: [Item] = []
      if selection == .seen, let person = policy.viewer.person {
        // Most memes are public. A scan over the memes of two pages therefore nearly always finds a full page.
        let walk = try ListScan(of: person, direction, from: start, atLeast: 2 * limit, in: db)
        let text = query[.seenByScan, policy, direction]
        items = try db.all(text, policy.person, start, limit, walk.end, decode: read)
        start = walk.end
        if items.count == limit || !walk.isCut { return items }
      }
      return try items + db.all(text, policy.person, start, limit - items.count, decode: read)
    } ending: {
      guard let stretch = selection.stretch(direction) else { return nil }
      switch subject {
      case .tag(let tag):
        return try db.value(stretch.query, policy.person, start, tag.text)
      case .source(let id):
        return try db.value(stretch.query, policy.person, start, id.bytes)
      case .author, nil:
        return try db.value(stretch.query, policy.person, start)
      }
    }
  }

  /// What all memes of a list have in common: the author's `users.seq`, a tag, or the meme whose picture they have.
  private enum Subject {
    case author(Int64)
    case tag(Tag)
    case source(MemeID)
  }

  private func selection(
    for listing: MemeListing, _ policy: AccessPolicy, in db: borrowing Transaction
  ) throws -> (MemeSelection, Subject?) {
    let viewer = listing.viewer
    switch listing.scope {
    case .favorites: return (.favorites, nil)
    case .tagged(let tag): return (viewer.isSignedIn ? .tagged : .publicTagged, .tag(tag))
    case .remixes(let id):
      _ = try visibleSequence(of: id, for: viewer, in: db)
      return (.remixes, .source(id))
    case .author(let author):
      let found = try relation(of: author, to: policy, in: db)
      let subject = Subject.author(found.number)
      if policy.viewer.isAdmin || found.isOneself { return (.authorsToThemselves, subject) }
      return (found.isFriend ? .authorsToFriend : .authorsToAnybody, subject)
    case .everybodys, .feed, .popular, .matching:
      if viewer.isAdmin { return (.everything, nil) }
      return (viewer.isSignedIn ? .seen : .everybodys, nil)
    }
  }

  /// - Throws: ``MemeError/notFound`` if the viewer sees no such author.
  private func relation(
    of author: MemeListing.Author, to policy: AccessPolicy, in db: borrowing Transaction
  ) throws -> (number: Int64, isOneself: Bool, isFriend: Bool) {
    let (column, value): (String, any Bindable) =
      switch author {
      case .named(let username): ("username", username.text)
      case .person(let id): ("id", id.bytes)
      }
    let found = try db.first(
      """
      SELECT seq, seq IS NOT DISTINCT FROM \(AccessPolicy.asking), \(AccessPolicy.isFriend("users.seq")) FROM users
      WHERE \(column) = ?2 AND \(policy.sees(person: "users.seq"))
      """, policy.person, value
    ) { row in
      (
        number: try row.next() as Int64, isOneself: try row.next() as Bool,
        isFriend: try row.next() as Bool
      )
    }
    guard let found else { throw MemeError.notFound }
    return found
  }
}

extension MemeListing.Scope {
  /// Whether the query may run long enough to delay other connections of the caller's thread.
  fileprivate var isLong: Bool {
    switch self {
    case .feed, .matching: true
    case .everybodys, .author, .favorites, .popular, .tagged, .remixes: false
    }
  }
}

extension Page {
  /// Reads one item more than requested, to detect whether there is a next page.
  ///
  /// - Parameters:
  ///   - read: receives the number of items to read, and a closure to call with the number of each item's row.
  ///   - end: called if there is no additional item. Returns the last scanned row if the list continues after the scan
  ///     window.
  init(
    limit: Int, read: (Int, (Int64) -> Void) throws -> [Item],
    ending end: () throws -> Int64? = { nil }
  ) throws {
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
