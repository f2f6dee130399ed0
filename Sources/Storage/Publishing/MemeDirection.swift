import Memes

/// The direction in which a list scans the numbers of memes, as SQL.
enum MemeDirection: CaseIterable {
  case newest, oldest

  var opposite: MemeDirection { self == .newest ? .oldest : .newest }

  /// The direction for `ORDER BY`.
  var order: String { self == .newest ? "DESC" : "ASC" }

  /// The operator that compares a number with the position after which the page begins.
  var behind: String { self == .newest ? "<" : ">" }

  /// The position before all memes.
  var start: Int64 { self == .newest ? .max : 0 }

  /// The operator that compares a number with the last one to include.
  var upTo: String { self == .newest ? ">=" : "<=" }

  /// The order of the index `memes_of_author`, of memes that are not deleted. PostgreSQL needs `deleted_at` in it.
  private var authorsOrder: String { "deleted_at \(order), seq \(order)" }

  /// The position after all memes.
  private var end: Int64 { self == .newest ? 0 : .max }
}

/// Subqueries for the numbers of memes after `?2`, at most `?3` each.
extension MemeDirection {
  /// The first numbers of several subqueries.
  func merged(_ branches: [String]) -> String {
    "\(branches.joined(separator: " UNION ALL ")) ORDER BY seq \(order) LIMIT ?3"
  }

  /// The memes that a person may see.
  var seenBranches: [String] {
    [
      """
      SELECT * FROM (
        SELECT seq FROM \(everybodysMemes)
          AND \(reaches("seq")) AND (author IS NULL OR NOT \(AccessPolicy.isBlockedEitherWay("memes.author")))
        ORDER BY seq \(order) LIMIT ?3) AS everybodys
      """,
      memes(of: AccessPolicy.asking, .friends), memes(of: AccessPolicy.asking, .private),
      followed(by: AccessPolicy.asking, .friends),
    ]
  }

  /// The scan window of a page of ``seenBranches``.
  var seenStretch: ScanWindow {
    ScanWindow(of: "seq", isRising: self == .oldest, in: everybodysMemes)
  }

  /// See ``ScanWindow/reaches(_:isRising:)``.
  func reaches(_ place: String) -> String { ScanWindow.reaches(place, isRising: self == .oldest) }

  /// The memes of one author, with one visibility.
  func memes(of author: String, _ audience: Visibility) -> String {
    """
    SELECT * FROM (
      SELECT seq FROM \(range(of: author, audience)) ORDER BY \(authorsOrder) LIMIT ?3) AS authors
    """
  }

  /// The memes of the people that a person follows. Memes for friends are included only if the author follows the
  /// person back.
  ///
  /// The first meme of each author is one index lookup. A page of N memes can only contain memes of N authors: those
  /// whose first memes come first. It contains at most N memes of each. Authors without memes come last.
  func followed(by person: String, _ audience: Visibility) -> String {
    let isBack =
      audience == .public ? "" : "AND \(AccessPolicy.follows("mine.followed", "mine.follower"))"
    return """
      SELECT memes.seq FROM (
        SELECT followed,
          (SELECT seq FROM \(range(of: "mine.followed", audience))
          ORDER BY \(authorsOrder) LIMIT 1) AS head
        FROM follows AS mine
        WHERE follower = \(person) \(isBack)
        ORDER BY head \(order) NULLS LAST LIMIT ?3) AS people
      CROSS JOIN \(range(of: "people.followed", audience, "ON"))
        AND memes.seq \(upTo) coalesce(
          (SELECT seq FROM \(range(of: "people.followed", audience))
          ORDER BY \(authorsOrder) LIMIT 1 OFFSET ?3 - 1), \(end))
      """
  }

  private var everybodysMemes: String {
    """
    memes INDEXED BY memes_public
    WHERE visibility = 0 AND deleted_at IS NULL AND seq \(behind) ?2
    """
  }

  /// The memes of one author with one visibility, in the order of the index.
  private func range(
    of author: String, _ audience: Visibility, _ clause: String = "WHERE"
  ) -> String {
    """
    memes INDEXED BY memes_of_author
    \(clause) memes.author = \(author) AND memes.visibility = \(audience.number)
      AND memes.deleted_at IS NULL AND memes.seq \(behind) ?2
    """
  }
}
