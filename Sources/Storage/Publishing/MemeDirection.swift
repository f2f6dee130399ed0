import Memes

/// Which way a list goes through the numbers of memes, in the words of SQL.
enum MemeDirection: CaseIterable {
  case newest, oldest

  var opposite: MemeDirection { self == .newest ? .oldest : .newest }

  /// Of `ORDER BY`.
  var order: String { self == .newest ? "DESC" : "ASC" }

  /// How a number compares with the place that the page begins behind.
  var behind: String { self == .newest ? "<" : ">" }

  /// Before all memes.
  var start: Int64 { self == .newest ? .max : 0 }

  /// How a number compares with one that is as far or not as far.
  var upTo: String { self == .newest ? ">=" : "<=" }

  /// The aggregate that gives the first of some numbers.
  private var first: String { self == .newest ? "max" : "min" }

  /// Behind all memes.
  private var end: Int64 { self == .newest ? 0 : .max }
}

/// Ways that give the numbers of memes behind `?2`, `?3` at most each.
extension MemeDirection {
  /// The first of what several ways give.
  func merged(_ branches: [String]) -> String {
    "\(branches.joined(separator: " UNION ALL ")) ORDER BY seq \(order) LIMIT ?3"
  }

  /// Of all that a person sees.
  var seenBranches: [String] {
    [
      """
      SELECT * FROM (
        SELECT seq FROM \(everybodysMemes)
          AND \(reaches("seq")) AND (author IS NULL OR NOT \(Sight.isApart("memes.author")))
        ORDER BY seq \(order) LIMIT ?3)
      """,
      memes(of: Sight.asking, .friends), memes(of: Sight.asking, .private),
      followed(by: Sight.asking, .friends),
    ]
  }

  /// How far a page of those goes.
  var seenStretch: Stretch {
    Stretch(of: "seq", isRising: self == .oldest, in: everybodysMemes)
  }

  /// As ``Stretch/reaches(_:isRising:)``.
  func reaches(_ place: String) -> String { Stretch.reaches(place, isRising: self == .oldest) }

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

  private var everybodysMemes: String {
    """
    memes INDEXED BY memes_public
    WHERE visibility = 0 AND deleted_at IS NULL AND seq \(behind) ?2
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
