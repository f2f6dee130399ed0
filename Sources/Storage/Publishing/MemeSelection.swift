import Memes
import SQLite

/// Which memes a list goes through, in the order in which they were made, as the beginning and the end of a query.
///
/// `?1` is ``Sight/person``; `?2` the place that the page begins behind; `?3` how many there may be; where it is one author's,
/// `?4` is the `users.seq` of that, and where it is a walk, the last number that it looks at.
///
/// No page costs more where there is more that it does not show: each way begins at its place in an index and reads no more
/// than a page, or where it leaves some out a ``Stretch``. Where several are merged, each gives a page at most, and the first of them
/// are taken.
enum MemeSelection: CaseIterable {
  /// All that there are.
  case everything
  case everybodys
  /// What a person sees: what is for everybody, but of those who are apart; their own; and that of their friends.
  case seen
  /// The same, found by a walk over all memes up to a number, whoever may see them.
  case seenOnWalk
  /// One author's, as anybody, a friend, or the author sees them.
  case authorsToAnybody, authorsToFriend, authorsToThemselves
  /// What is among the favorites of who asks. The place is that of the favorite, and the newest is first.
  case favorites

  fileprivate func query(
    _ columns: String, _ parts: String, _ direction: MemeDirection, _ sight: Sight
  ) -> String {
    let stretch = stretch(direction)
    func inOrder(_ index: String, _ condition: String = "") -> String {
      """
      SELECT memes.seq, \(columns)
      FROM memes INDEXED BY \(index)
      \(parts)
      WHERE memes.seq \(direction.behind) ?2 AND memes.deleted_at IS NULL \(condition)
      ORDER BY memes.seq \(direction.order) LIMIT ?3
      """
    }
    func merged(_ branches: [String]) -> String {
      """
      \(stretch.map { $0.with + "," } ?? "WITH")
      page (seq) AS (\(direction.merged(branches)))
      SELECT memes.seq, \(columns)
      FROM page CROSS JOIN memes ON memes.seq = page.seq
      \(parts)
      \(stretch == nil ? "" : "WHERE \(direction.reaches("page.seq"))")
      ORDER BY page.seq \(direction.order)
      """
    }
    func authors(_ audiences: [Visibility]) -> String {
      merged(audiences.map { direction.memes(of: "?4", $0) })
    }
    return switch self {
    // The planner cannot know how much of the table an index has.
    case .everything: inOrder("memes_listed")
    case .everybodys: inOrder("memes_public", "AND memes.visibility = 0")
    case .seen: merged(direction.seenBranches)
    case .seenOnWalk:
      inOrder("memes_listed", "AND memes.seq \(direction.upTo) ?4 AND \(sight.sees())")
    case .authorsToAnybody: authors([.public])
    case .authorsToFriend: authors([.public, .friends])
    case .authorsToThemselves: authors(Visibility.allCases)
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

  /// How far a page goes; `nil` where it leaves nothing out.
  func stretch(_ direction: MemeDirection) -> Stretch? {
    switch self {
    case .seen: direction.seenStretch
    case .favorites: Self.favoritesStretch
    case .everything, .everybodys, .seenOnWalk, .authorsToAnybody, .authorsToFriend,
      .authorsToThemselves:
      nil
    }
  }

  // Any number of them may be hidden by now, or deleted.
  private static let favoritesStretch = Stretch(
    of: "favorites.seq", in: favoritesOfOneself, where: "1")

  private static let favoritesOfOneself = """
    favorites INDEXED BY favorites_of_user
    WHERE favorites.user = \(Sight.asking) AND favorites.seq < ?2
    """
}

/// A query that goes through each selection either way for each kind of viewer, put together once, and one for some memes. The
/// first column is the place in the list.
struct MemeQuery {
  /// Those of the memes with the numbers in `?2`, a JSON array, that the viewer sees.
  let some: SightedText
  private let texts: [MemeDirection: [MemeSelection: SightedText]]

  /// - Parameters:
  ///   - columns: what is read behind the place.
  ///   - parts: tables that have one row for a meme.
  init(_ parts: String, _ columns: (Sight) -> String) {
    some = SightedText { sight in
      """
      SELECT memes.seq, \(columns(sight))
      FROM json_each(?2) AS wanted CROSS JOIN memes ON memes.seq = wanted.value
      \(parts)
      WHERE memes.deleted_at IS NULL AND \(sight.sees())
      """
    }
    texts = MemeDirection.allCases.reduce(into: [:]) { texts, direction in
      for selection in MemeSelection.allCases {
        texts[direction, default: [:]][selection] = SightedText {
          selection.query(columns($0), parts, direction, $0)
        }
      }
    }
  }

  subscript(
    selection: MemeSelection, sight: Sight, direction: MemeDirection = .newest
  ) -> String { texts[direction]?[selection]?[sight] ?? "" }
}
