import Memes
import SQL

/// The set of memes that a list scans, in the order of their creation, as the beginning and the end of a query.
///
/// The parameters are: `?1` ``AccessPolicy/person``; `?2` the position after which the page begins; `?3` the maximum
/// number of rows. `?4` is the author's `users.seq` in a list of one author, the tag in a list of one tag, the ID of
/// the source in a list of remixes, and the last number to scan in a ``ListScan``.
///
/// The cost of a page does not depend on the number of memes that it does not show. Each subquery begins at its
/// position in an index. It reads at most a page, or at most a ``ScanWindow`` if it hides rows. A merged list takes at
/// most one page from each subquery, and keeps the first rows of all.
enum MemeSelection: CaseIterable {
  /// All memes.
  case everything
  case everybodys
  /// The memes that a person may see: public memes, except those of people with whom the person is blocked either way;
  /// the person's own memes; and the memes of friends for friends.
  case seen
  /// The same memes, found by a scan over the memes of all visibilities up to a number.
  case seenByScan
  /// The memes of one author, as the public, a friend, or the author sees them.
  case authorsToAnybody, authorsToFriend, authorsToThemselves
  /// The viewer's favorites, newest first. The position is that of the favorite.
  case favorites
  /// The memes with one tag.
  case tagged
  /// The public memes with one tag. No row of the index is hidden, so any number of private memes with the tag changes
  /// nothing.
  case publicTagged
  /// The memes with the picture of one meme.
  case remixes

  fileprivate func query(
    _ columns: String, _ parts: String, _ direction: MemeDirection, _ policy: AccessPolicy
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
    // The index is named, because the planner cannot know which part of the table it covers.
    case .everything: inOrder("memes_listed")
    case .everybodys: inOrder("memes_public", "AND memes.visibility = 0")
    case .seen: merged(direction.seenBranches)
    case .seenByScan:
      inOrder("memes_listed", "AND memes.seq \(direction.upTo) ?4 AND \(policy.sees())")
    case .authorsToAnybody: authors([.public])
    case .authorsToFriend: authors([.public, .friends])
    case .authorsToThemselves: authors(Visibility.allCases)
    case .favorites: favorites(columns, parts, policy)
    case .tagged: tagged(columns, parts, direction, policy)
    case .publicTagged: publicTagged(columns, parts, direction, policy)
    case .remixes: remixes(columns, parts, direction, policy)
    }
  }

  private func favorites(_ columns: String, _ parts: String, _ policy: AccessPolicy) -> String {
    """
    \(Self.favoritesStretch.with)
    SELECT favorites.seq, \(columns)
    FROM favorites INDEXED BY favorites_of_user
    CROSS JOIN memes ON memes.seq = favorites.meme
    \(parts)
    WHERE favorites.user = \(AccessPolicy.asking) AND favorites.seq < ?2
      AND \(ScanWindow.reaches("favorites.seq")) AND memes.deleted_at IS NULL AND \(policy.sees())
    ORDER BY favorites.seq DESC LIMIT ?3
    """
  }

  private func tagged(
    _ columns: String, _ parts: String, _ direction: MemeDirection, _ policy: AccessPolicy
  ) -> String {
    """
    \(Self.taggedStretch(direction, "?4").with)
    SELECT meme_tags.meme, \(columns)
    FROM meme_tags
    CROSS JOIN memes ON memes.seq = meme_tags.meme
    \(parts)
    WHERE meme_tags.tag = ?4 AND meme_tags.meme \(direction.behind) ?2
      AND \(direction.reaches("meme_tags.meme")) AND memes.deleted_at IS NULL AND \(policy.sees())
    ORDER BY meme_tags.meme \(direction.order) LIMIT ?3
    """
  }

  private func publicTagged(
    _ columns: String, _ parts: String, _ direction: MemeDirection, _ policy: AccessPolicy
  ) -> String {
    """
    SELECT meme_tags.meme, \(columns)
    FROM meme_tags INDEXED BY meme_tags_public
    CROSS JOIN memes ON memes.seq = meme_tags.meme
    \(parts)
    WHERE meme_tags.is_public AND meme_tags.tag = ?4 AND meme_tags.meme \(direction.behind) ?2
      AND memes.deleted_at IS NULL AND \(policy.sees())
    ORDER BY meme_tags.meme \(direction.order) LIMIT ?3
    """
  }

  private func remixes(
    _ columns: String, _ parts: String, _ direction: MemeDirection, _ policy: AccessPolicy
  ) -> String {
    """
    \(Self.remixesStretch(direction, "?4").with)
    SELECT memes.seq, \(columns)
    FROM memes INDEXED BY memes_remixes
    \(parts)
    WHERE memes.remix_of = ?4 AND memes.seq \(direction.behind) ?2
      AND \(direction.reaches("memes.seq")) AND memes.deleted_at IS NULL AND \(policy.sees())
    ORDER BY memes.seq \(direction.order) LIMIT ?3
    """
  }

  /// The scan window of a page; `nil` if the list hides nothing.
  func stretch(_ direction: MemeDirection) -> ScanWindow? {
    switch self {
    case .seen: direction.seenStretch
    case .favorites: Self.favoritesStretch
    case .tagged: Self.taggedStretch(direction, "?3")
    case .remixes: Self.remixesStretch(direction, "?3")
    case .everything, .everybodys, .seenByScan, .authorsToAnybody, .authorsToFriend,
      .authorsToThemselves, .publicTagged:
      nil
    }
  }

  // Any number of favorites may have been hidden or deleted since.
  private static let favoritesStretch = ScanWindow(
    of: "favorites.seq", in: favoritesOfOneself, where: "TRUE")

  // Any number of memes with the tag may be private.
  private static func taggedStretch(_ direction: MemeDirection, _ tag: String) -> ScanWindow {
    ScanWindow(
      of: "meme_tags.meme", isRising: direction == .oldest,
      in: "meme_tags WHERE meme_tags.tag = \(tag) AND meme_tags.meme \(direction.behind) ?2",
      where: "TRUE")
  }

  // Any number of remixes may be private.
  private static func remixesStretch(_ direction: MemeDirection, _ source: String) -> ScanWindow {
    ScanWindow(
      of: "remixes.seq", isRising: direction == .oldest,
      in: """
        memes AS remixes INDEXED BY memes_remixes
        WHERE remixes.remix_of = \(source) AND remixes.seq \(direction.behind) ?2
        """, where: "TRUE")
  }

  private static let favoritesOfOneself = """
    favorites INDEXED BY favorites_of_user
    WHERE favorites.user = \(AccessPolicy.asking) AND favorites.seq < ?2
    """
}

/// The texts of a query for every selection, direction and kind of viewer, built once, and of a query for given memes.
/// The first column is the position in the list.
struct MemeQuery {
  /// Selects the memes with the numbers in the JSON array `?2`, if the viewer may see them.
  let some: PerViewerSQL
  private let texts: [MemeDirection: [MemeSelection: PerViewerSQL]]

  /// - Parameters:
  ///   - columns: the columns after the position.
  ///   - parts: joins with one row for each meme.
  init(_ parts: String, _ columns: (AccessPolicy) -> String) {
    some = PerViewerSQL { policy in
      """
      SELECT memes.seq, \(columns(policy))
      FROM json_each(?2) AS wanted CROSS JOIN memes ON memes.seq = CAST(wanted.value AS bigint)
      \(parts)
      WHERE memes.deleted_at IS NULL AND \(policy.sees())
      """
    }
    texts = MemeDirection.allCases.reduce(into: [:]) { texts, direction in
      for selection in MemeSelection.allCases {
        texts[direction, default: [:]][selection] = PerViewerSQL {
          selection.query(columns($0), parts, direction, $0)
        }
      }
    }
  }

  subscript(
    selection: MemeSelection, policy: AccessPolicy, direction: MemeDirection = .newest
  ) -> String { texts[direction]?[selection]?[policy] ?? "" }
}
