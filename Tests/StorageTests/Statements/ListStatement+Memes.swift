@testable import Storage

// The lists of memes: each for three views, in both directions, for the viewers that can have the list.

extension ListStatement {
  static var memes: [ListStatement] {
    var statements: [ListStatement] = []
    for view in MemeView.all {
      for direction in MemeDirection.allCases {
        statements += view.inOneOrder(direction)
        statements += view.ofAuthors(direction)
      }
      statements += view.favorites
      for direction in MemeDirection.allCases { statements += view.tagged(direction) }
      for direction in MemeDirection.allCases { statements += view.remixes(direction) }
      statements += view.chosen
    }
    return statements
  }

  /// The ends of the scan windows.
  static var memeWindows: [ListStatement] {
    var windows: [ListStatement] = []
    for direction in MemeDirection.allCases {
      guard let window = MemeSelection.seen.stretch(direction) else { continue }
      windows.append(
        ListStatement(
          "memes-windows", "visible memes, \(direction) first", window.query,
          reads: [.index("memes_public", of: "memes", direction.after("seq"))]))
    }
    if let window = MemeSelection.favorites.stretch(.newest) {
      windows.append(
        ListStatement(
          "memes-windows", "favorites, newest first", window.query,
          reads: [.index("favorites_of_user", of: "favorites", "user=? AND rowid<?")]))
    }
    for direction in MemeDirection.allCases {
      guard let window = MemeSelection.tagged.stretch(direction) else { continue }
      windows.append(
        ListStatement(
          "memes-windows", "memes with a tag, \(direction) first", window.query,
          reads: [.key(of: "meme_tags", "tag=? AND \(direction.after("meme"))")]))
    }
    for direction in MemeDirection.allCases {
      guard let window = MemeSelection.remixes.stretch(direction) else { continue }
      windows.append(
        ListStatement(
          "memes-windows", "remixes, \(direction) first", window.query,
          reads: [
            .index("memes_remixes", of: "remixes", "remix_of=? AND \(direction.after("seq"))")
          ]))
    }
    return windows
  }

  static var feed: [ListStatement] {
    [
      ListStatement(
        "feed", "the newest memes of followed people, by a scan", MemeStore.walkQuery,
        reads: [.index("memes_listed", of: "memes", "seq>? AND seq<?")]),
      ListStatement(
        "feed", "the newest memes of followed people, merged from each", MemeStore.feedQuery,
        reads: [.index("memes_of_author", of: "memes", MemeDirection.newest.afterAuthor)],
        sorts: "The followed people are in the order of their newest memes."),
    ]
  }
}

extension MemeDirection {
  /// The condition of the rows after a position.
  fileprivate func after(_ column: String) -> String { "\(column)\(behind)?" }

  /// The condition of the memes of one author, with one visibility, after a position.
  fileprivate var afterAuthor: String {
    "author=? AND visibility=? AND deleted_at=? AND \(after("rowid"))"
  }
}

/// A view of a list of memes.
private struct MemeView {
  let file: String
  let query: MemeQuery
  /// How the view reads what it joins to a meme.
  let joins: [TableRead]

  static var all: [MemeView] {
    let author = TableRead.row(of: "author")
    let source = TableRead.index("sqlite_autoindex_memes_1", of: "source", "id=?")
    return [
      MemeView(
        file: "memes-page", query: MemeStore.pageQuery,
        joins: ["a", "b", "c", "d"].map(picture) + [author, source]),
      MemeView(
        file: "memes-table", query: MemeStore.tableQuery, joins: [picture("pictures"), author]),
      MemeView(
        file: "memes-grid", query: MemeStore.gridQuery, joins: [picture("pictures")]),
    ]
  }

  private static func picture(_ name: String) -> TableRead {
    .key(of: name, "meme=? AND role=?")
  }

  /// Viewers from whom no one is hidden do not pay for hiding people.
  private static let blocks = ["blocks", "apart"]

  private static let merging = "The parts of the list are merged. Each has at most a page."

  func inOneOrder(_ direction: MemeDirection) -> [ListStatement] {
    let listed = TableRead.index("memes_listed", of: "memes", direction.after("seq"))
    let everybodys = TableRead.index("memes_public", of: "memes", direction.after("seq"))
    let range = "seq>? AND seq<?"
    return [
      ListStatement(
        file, "all memes, \(direction) first", for: .admin,
        { query[.everything, $0, direction] }, reads: with(listed), avoids: Self.blocks),
      ListStatement(
        file, "public memes, \(direction) first", for: .anonymous,
        { query[.everybodys, $0, direction] }, reads: with(everybodys), avoids: Self.blocks),
      ListStatement(
        file, "visible memes, \(direction) first, by a scan", for: .person,
        { query[.seenByScan, $0, direction] },
        reads: with(.index("memes_listed", of: "memes", range))),
      ListStatement(
        file, "visible memes, \(direction) first, merged", for: .person,
        { query[.seen, $0, direction] },
        reads: with(
          .index("memes_public", of: "memes", range), ofAuthor(direction), .row(of: "memes")),
        sorts: Self.merging),
    ]
  }

  func ofAuthors(_ direction: MemeDirection) -> [ListStatement] {
    let lists: [(name: String, MemeSelection, [ViewerKind])] = [
      ("public memes of an author", .authorsToAnybody, [.anonymous, .person]),
      ("memes of a friend", .authorsToFriend, [.person]),
      ("all memes of an author", .authorsToThemselves, [.person, .admin]),
    ]
    var statements: [ListStatement] = []
    for (name, selection, viewers) in lists {
      for viewer in viewers {
        statements.append(
          ListStatement(
            file, "\(name), \(direction) first", for: viewer, { query[selection, $0, direction] },
            reads: with(ofAuthor(direction), .row(of: "memes")),
            avoids: viewer == .person ? [] : Self.blocks, sorts: Self.merging))
      }
    }
    return statements
  }

  var favorites: [ListStatement] {
    [ViewerKind.person, .admin].map { viewer in
      ListStatement(
        file, "favorites, newest first", for: viewer, { query[.favorites, $0] },
        reads: with(
          .index("favorites_of_user", of: "favorites", "user=? AND rowid>? AND rowid<?"),
          .row(of: "memes")),
        // Whether the viewer has the meme among the favorites, which only one view shows.
        mayRead: [.index("favorites_once", of: "favorites")])
    }
  }

  func tagged(_ direction: MemeDirection) -> [ListStatement] {
    let ofPublic = TableRead.index(
      "meme_tags_public", of: "meme_tags", "tag=? AND \(direction.after("meme"))")
    let ofAll = TableRead.key(of: "meme_tags", "tag=? AND meme>? AND meme<?")
    return ViewerKind.allCases.map { viewer in
      let (selection, read): (MemeSelection, TableRead) =
        viewer == .anonymous ? (.publicTagged, ofPublic) : (.tagged, ofAll)
      return ListStatement(
        file, "memes with a tag, \(direction) first", for: viewer,
        { query[selection, $0, direction] }, reads: with(read, .row(of: "memes")),
        avoids: viewer == .person ? [] : Self.blocks)
    }
  }

  func remixes(_ direction: MemeDirection) -> [ListStatement] {
    ViewerKind.allCases.map { viewer in
      ListStatement(
        file, "remixes, \(direction) first", for: viewer, { query[.remixes, $0, direction] },
        reads: with(.index("memes_remixes", of: "memes", "remix_of=? AND seq>? AND seq<?")),
        avoids: viewer == .person ? [] : Self.blocks)
    }
  }

  /// The memes of a page whose candidates another statement found.
  var chosen: [ListStatement] {
    ViewerKind.allCases.map { viewer in
      ListStatement(
        file, "given memes", for: viewer, { query.some[$0] },
        reads: with(.virtual("1:", of: "wanted"), .row(of: "memes")),
        avoids: viewer == .person ? [] : Self.blocks)
    }
  }

  private func with(_ reads: TableRead...) -> [TableRead] { reads + joins }

  private func ofAuthor(_ direction: MemeDirection) -> TableRead {
    .index("memes_of_author", of: "memes", direction.afterAuthor)
  }
}
