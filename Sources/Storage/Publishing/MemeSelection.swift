import Memes
import SQLite

/// Which memes a list goes through, in the order in which they were made, as the beginning and the end of a query.
///
/// `?1` is ``Sight/person``, and where it is one author's the `users.seq` of that; `?2` the place that the page begins behind; `?3` how
/// many there may be.
///
/// No page costs more where there is more that it does not show: each way begins at its place in an index and reads no more
/// than a page. Where several are merged, each gives a page at most, and the newest of them are taken.
enum MemeSelection: CaseIterable {
  /// All that there are.
  case everything
  case everybodys
  /// What a person sees: what is for everybody, but of those who are apart; their own; and that of their friends.
  case seen
  /// One author's, as anybody, a friend, or the author sees them.
  case authorsToAnybody, authorsToFriend, authorsToThemselves

  fileprivate func query(
    _ columns: String, _ parts: String, _ direction: MemeDirection
  ) -> String {
    let whole = { (index: String, condition: String) in
      """
      \(columns)
      FROM memes INDEXED BY \(index)
      \(parts)
      WHERE memes.seq \(direction.behind) ?2 AND memes.deleted_at IS NULL \(condition)
      ORDER BY memes.seq \(direction.order) LIMIT ?3
      """
    }
    let merged = { (branches: [String]) in
      """
      WITH page (seq) AS (\(direction.merged(branches)))
      \(columns)
      FROM page CROSS JOIN memes ON memes.seq = page.seq
      \(parts)
      ORDER BY page.seq \(direction.order)
      """
    }
    let authors = { (audiences: [Visibility]) in
      merged(audiences.map { direction.memes(of: "?1", $0) })
    }
    return switch self {
    // The planner cannot know how much of the table an index has.
    case .everything: whole("memes_listed", "")
    case .everybodys: whole("memes_public", "AND memes.visibility = 0")
    case .seen: merged(direction.seenBranches)
    case .authorsToAnybody: authors([.public])
    case .authorsToFriend: authors([.public, .friends])
    case .authorsToThemselves: authors(Visibility.allCases)
    }
  }
}

/// Ways that give the numbers of memes behind `?2`, `?3` at most each.
extension MemeDirection {
  /// The first of what several ways give.
  func merged(_ branches: [String]) -> String {
    "\(branches.joined(separator: " UNION ALL ")) ORDER BY seq \(order) LIMIT ?3"
  }

  fileprivate var seenBranches: [String] {
    [
      """
      SELECT * FROM (
        SELECT seq FROM memes INDEXED BY memes_public
        WHERE visibility = 0 AND deleted_at IS NULL AND seq \(behind) ?2
          AND (author IS NULL OR NOT \(Sight.isApart("memes.author")))
        ORDER BY seq \(order) LIMIT ?3)
      """,
      memes(of: Sight.asking, .friends), memes(of: Sight.asking, .private),
      followed(by: Sight.asking, .friends),
    ]
  }

  /// One author's, for one audience.
  func memes(of author: String, _ audience: Visibility) -> String {
    "SELECT * FROM (SELECT seq FROM \(range(of: author, audience)) ORDER BY seq \(order) LIMIT ?3)"
  }

  /// Those of the people whom somebody follows; what is for friends, of those who follow them back.
  ///
  /// The first meme of each is one look into the index. A page can only have memes of as many people as it has places, those
  /// with the first, and of each no more than that. Who has none comes last.
  func followed(by person: String, _ audience: Visibility) -> String {
    let others = range(of: "people.followed", audience)
    let isBack = audience == .public ? "" : "AND \(Sight.follows("mine.followed", "mine.follower"))"
    return """
      SELECT memes.seq FROM (
        SELECT followed,
          (SELECT \(first)(seq) FROM \(range(of: "mine.followed", audience))) AS head
        FROM follows AS mine
        WHERE follower = \(person) \(isBack)
        ORDER BY head \(order) NULLS LAST LIMIT ?3) AS people
      CROSS JOIN \(others)
        AND memes.seq \(upTo) coalesce(
          (SELECT seq FROM \(others) ORDER BY seq \(order) LIMIT 1 OFFSET ?3 - 1), \(end))
      """
  }

  /// One author's memes for one audience, in the order of the index.
  private func range(of author: String, _ audience: Visibility) -> String {
    """
    memes INDEXED BY memes_of_author
    WHERE memes.author = \(author) AND memes.visibility = \(audience.number)
      AND memes.deleted_at IS NULL AND memes.seq \(behind) ?2
    """
  }
}

/// How a view reads memes, put together once: a query that goes through each selection either way, and one for a single meme.
struct MemeQuery {
  /// The meme whose `seq` is `?2`, where the viewer may see it.
  let one: SightedText
  private let texts: [MemeDirection: [MemeSelection: String]]

  /// - Parameters:
  ///   - columns: the first is `memes.seq`.
  ///   - parts: tables that have one row for a meme.
  init(_ columns: String, _ parts: String) {
    one = SightedText { sight in
      """
      \(columns) FROM memes \(parts)
      WHERE memes.seq = ?2 AND memes.deleted_at IS NULL AND \(sight.sees())
      """
    }
    texts = MemeDirection.allCases.reduce(into: [:]) { texts, direction in
      for selection in MemeSelection.allCases {
        texts[direction, default: [:]][selection] = selection.query(columns, parts, direction)
      }
    }
  }

  subscript(selection: MemeSelection, direction: MemeDirection = .newest) -> String {
    texts[direction]?[selection] ?? ""
  }
}
