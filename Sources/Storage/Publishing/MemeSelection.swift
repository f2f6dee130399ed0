import Memes
import SQLite

/// Which memes a list goes down, newest first, as the beginning and the end of a query.
///
/// `?1` is ``Sight/person``; `?2` the place that the page begins behind; `?3` how many there may be; where it is one author's,
/// `?4` is the `users.seq` of that.
///
/// No page costs more where there is more that it does not show: each way begins at its place in an index and reads no more
/// than a page, or where it leaves some out a ``Stretch``. Where several are merged, each gives a page at most, and the newest of them
/// are taken.
enum MemeSelection: CaseIterable {
  /// All that there are.
  case everything
  case everybodys
  /// What a person sees: what is for everybody, but of those who are apart; their own; and that of their friends.
  case seen
  /// One author's, as anybody, a friend, or the author sees them.
  case authorsToAnybody, authorsToFriend, authorsToThemselves
  /// What is among the favorites of who asks. The place is that of the favorite.
  case favorites

  fileprivate func query(_ columns: String, _ parts: String, _ sight: Sight) -> String {
    switch self {
    // The planner cannot know how much of the table an index has.
    case .everything: inOrder("memes_listed", columns, parts)
    case .everybodys: inOrder("memes_public", columns, parts, "AND memes.visibility = 0")
    case .seen: merged(Self.seenBranches, columns, parts, within: stretch)
    case .authorsToAnybody: authors([.public], columns, parts)
    case .authorsToFriend: authors([.public, .friends], columns, parts)
    case .authorsToThemselves: authors(Visibility.allCases, columns, parts)
    case .favorites: favorites(columns, parts, sight)
    }
  }

  private func favorites(_ columns: String, _ parts: String, _ sight: Sight) -> String {
    """
    \(Self.favoritesStretch.with)
    SELECT favorites.seq, \(columns)
    FROM favorites INDEXED BY favorites_of_user
    CROSS JOIN memes ON memes.seq = favorites.meme
    \(parts)
    WHERE favorites.user = \(Sight.asking) AND favorites.seq < ?2
      AND \(Stretch.reaches("favorites.seq")) AND memes.deleted_at IS NULL AND \(sight.sees())
    ORDER BY favorites.seq DESC LIMIT ?3
    """
  }

  private func inOrder(
    _ index: String, _ columns: String, _ parts: String, _ condition: String = ""
  ) -> String {
    """
    SELECT memes.seq, \(columns)
    FROM memes INDEXED BY \(index)
    \(parts)
    WHERE memes.seq < ?2 AND memes.deleted_at IS NULL \(condition) ORDER BY memes.seq DESC LIMIT ?3
    """
  }

  private func authors(
    _ audiences: [Visibility], _ columns: String, _ parts: String
  ) -> String {
    merged(audiences.map { Self.branch("?4", $0) }, columns, parts)
  }

  private func merged(
    _ branches: [String], _ columns: String, _ parts: String, within stretch: Stretch? = nil
  ) -> String {
    """
    \(stretch.map { $0.with + "," } ?? "WITH")
    page (seq) AS (\(branches.joined(separator: " UNION ALL ")) ORDER BY seq DESC LIMIT ?3)
    SELECT memes.seq, \(columns)
    FROM page CROSS JOIN memes ON memes.seq = page.seq
    \(parts)
    \(stretch == nil ? "" : "WHERE \(Stretch.reaches("page.seq"))")
    ORDER BY page.seq DESC
    """
  }

  /// How far a page goes; `nil` where it leaves nothing out.
  var stretch: Stretch? {
    switch self {
    case .seen: Self.seenStretch
    case .favorites: Self.favoritesStretch
    case .everything, .everybodys, .authorsToAnybody, .authorsToFriend, .authorsToThemselves: nil
    }
  }

  private static let seenStretch = Stretch(of: "seq", in: everybodysMemes)

  // Any number of them may be hidden by now, or deleted.
  private static let favoritesStretch = Stretch(
    of: "favorites.seq", in: favoritesOfOneself, where: "1")

  private static let favoritesOfOneself = """
    favorites INDEXED BY favorites_of_user
    WHERE favorites.user = \(Sight.asking) AND favorites.seq < ?2
    """

  private static let everybodysMemes = """
    memes INDEXED BY memes_public WHERE visibility = 0 AND deleted_at IS NULL AND seq < ?2
    """

  private static var seenBranches: [String] {
    [
      """
      SELECT * FROM (
        SELECT seq FROM \(everybodysMemes)
          AND \(Stretch.reaches("seq")) AND (author IS NULL OR NOT \(Sight.isApart("memes.author")))
        ORDER BY seq DESC LIMIT ?3)
      """,
      branch(Sight.asking, .friends), branch(Sight.asking, .private), friendsBranch,
    ]
  }

  private static func branch(_ author: String, _ audience: Visibility) -> String {
    "SELECT * FROM (SELECT seq FROM \(memes(of: author, audience)) ORDER BY seq DESC LIMIT ?3)"
  }

  /// The newest meme of each friend is one look into the index. A page can only have memes of as many friends as it has
  /// places, those with the newest, and of each no more than that. Who has none comes last.
  private static var friendsBranch: String {
    let friends = memes(of: "friends.friend", .friends)
    return """
      SELECT memes.seq FROM (
        SELECT followed AS friend,
          (SELECT max(seq) FROM \(memes(of: "mine.followed", .friends))) AS head
        FROM follows AS mine
        WHERE follower = \(Sight.asking) AND \(Sight.follows("mine.followed", "mine.follower"))
        ORDER BY head DESC LIMIT ?3) AS friends
      CROSS JOIN \(memes(of: "friends.friend", .friends))
        AND memes.seq >= coalesce(
          (SELECT seq FROM \(friends) ORDER BY seq DESC LIMIT 1 OFFSET ?3 - 1), 0)
      """
  }

  /// One author's memes for one audience, in the order of the index.
  private static func memes(of author: String, _ audience: Visibility) -> String {
    """
    memes INDEXED BY memes_of_author
    WHERE memes.author = \(author) AND memes.visibility = \(audience.number)
      AND memes.deleted_at IS NULL AND memes.seq < ?2
    """
  }
}

/// A query that goes down each selection for each kind of viewer, put together once. The first column is the place in the list.
struct MemeQuery {
  private let texts: [MemeSelection: SightedText]

  /// - Parameters:
  ///   - columns: what is read behind the place.
  ///   - parts: tables that have one row for a meme.
  init(_ parts: String, _ columns: (Sight) -> String) {
    texts = Dictionary(
      uniqueKeysWithValues: MemeSelection.allCases.map { selection in
        (selection, SightedText { selection.query(columns($0), parts, $0) })
      })
  }

  subscript(selection: MemeSelection, sight: Sight) -> String { texts[selection]?[sight] ?? "" }
}
