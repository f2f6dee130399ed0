import Memes

/// What a person is told, newest first, and how much of it is unread. A person has no more than a thousand notifications, so that
/// is the most that is gone through.
extension SQLiteNotifications {
  /// `?2` is the place that the page begins behind, `?3` how many there may be.
  static let pageQuery = SightedText { sight in
    let places = 0..<Notification.maximumActors
    let columns = places.flatMap { place in
      ["id", "username", "display_name", "avatar"].map { "actor\(place).\($0)" }
    }
    let actors = places.map { place in
      let people = NotifiedEvents.allKinds.map { $0.person($0.name(place)) }
      return """
        LEFT JOIN users AS actor\(place) ON actor\(place).seq = coalesce(\(people.joined(separator: ", ")))
        """
    }
    let events = NotifiedEvents.allKinds.flatMap { kind in places.map { kind.join($0, sight) } }
    let stretch = stretch(sight)
    let count = count(sight)
    return """
      \(stretch?.with ?? "")
      SELECT notices.place, notices.kind, notices.created_at, notices.updated_at, notices.is_read,
        \(count),
        memes.id, memes.version, memes.alt_text, pictures.width, pictures.height,
        comments0.id, substr(comments0.text, 1, \(codePoints)),
        \(columns.joined(separator: ", "))
      FROM notifications AS notices INDEXED BY notifications_of_user
      LEFT JOIN memes ON memes.seq = notices.meme
      LEFT JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
      \((events + actors).joined(separator: "\n"))
      WHERE notices.user = \(Sight.asking) AND notices.place < ?2 AND \(isThere)
        \(stretch == nil ? "" : "AND \(Stretch.reaches("notices.place"))")
        AND (actor0.seq IS NOT NULL OR \(count) > 0)
      ORDER BY notices.place DESC LIMIT ?3
      """
  }

  /// How far a page goes; `nil` where it leaves nobody out. It is a tenth of other lists', for each row may be looked for in a crowd.
  static func stretch(_ sight: Sight) -> Stretch? {
    guard sight.hidesPeople else { return nil }
    return Stretch(
      of: "notices.place", rows: PageLimit.range.upperBound,
      in: """
        notifications AS notices INDEXED BY notifications_of_user
        WHERE notices.user = \(Sight.asking) AND notices.place < ?2
        """)
  }

  /// `?2` is the most that is counted.
  static let unreadQuery = SightedText { sight in
    let events = NotifiedEvents.allKinds.map { "WHEN \($0.kind) THEN \($0.event(0, sight))" }
    return """
      SELECT count(*) FROM (
        SELECT 1 FROM notifications AS notices INDEXED BY notifications_unread
        LEFT JOIN memes ON memes.seq = notices.meme
        WHERE notices.user = \(Sight.asking) AND notices.is_read = 0 AND \(isThere)
          AND (\(sight.apartFromNobody)
            -- Nobody likes or follows the same twice, so that somebody is left of so many.
            OR notices.kind <> 1 AND notices.count > \(Sight.crowdSize)
            OR CASE notices.kind \(events.joined(separator: " ")) END IS NOT NULL)
        LIMIT ?2)
      """
  }

  /// Of what is in the trash nothing is shown.
  private static let isThere = "(notices.meme IS NULL OR memes.deleted_at IS NULL)"

  /// The characters of an excerpt have no more code points than that, but for such as nobody writes.
  private static let codePoints = 8 * Notification.excerptCharacters

  /// What is left of the count for this viewer.
  private static func count(_ sight: Sight) -> String {
    guard sight.hidesPeople else { return "notices.count" }
    let counts = NotifiedEvents.allKinds.map { "WHEN \($0.kind) THEN \($0.count(sight))" }
    return "CASE notices.kind \(counts.joined(separator: " ")) END"
  }
}

/// The events that notifications of one kind are about.
private struct NotifiedEvents {
  /// So many are looked at for somebody to name. Anybody may have any number of them, who is apart from the person, or is that
  /// person, or was named already.
  private static let rows = 100

  static let allKinds = [
    NotifiedEvents(
      kind: 0, table: "likes", index: "likes_of_meme", person: "user",
      subject: "likes.meme = notices.meme"),
    NotifiedEvents(
      kind: 1, table: "comments", index: "comments_of_meme", person: "user",
      subject: "comments.meme = notices.meme", filter: "comments.deleted_at IS NULL"),
    NotifiedEvents(
      kind: 2, table: "follows", index: "follows_of_followed", person: "follower",
      subject: "follows.followed = notices.user"),
  ]

  let kind: Int
  private let table: String
  /// That has those of a subject in their order.
  private let index: String
  /// The column of who did it.
  private let person: String
  private let subject: String
  private let filter: String

  private init(
    kind: Int, table: String, index: String, person: String, subject: String, filter: String = "1"
  ) {
    (self.kind, self.table, self.index, self.person) = (kind, table, index, person)
    (self.subject, self.filter) = (subject, filter)
  }

  /// What the event is called by which somebody is named, from 0.
  func name(_ place: Int) -> String { "\(table)\(place)" }

  func person(_ event: String) -> String { "\(event).\(person)" }

  func join(_ place: Int, _ sight: Sight) -> String {
    let event = name(place)
    return """
      LEFT JOIN \(table) AS \(event)
        ON \(event).seq = iif(notices.kind = \(kind), \(self.event(place, sight)), NULL)
      """
  }

  /// The newest event of somebody who is not named yet: one walk goes on where the name before was found.
  func event(_ place: Int, _ sight: Sight) -> String {
    let newest = place == 0 ? "notices.last_event" : "\(name(place - 1)).seq - 1"
    let named = ["notices.user"] + (0..<place).map { person(name($0)) }
    // SQLite hands the rows on in their order, and looks at no more of them when it has one.
    return """
      (SELECT seq FROM (
        SELECT \(table).seq AS seq, \(table).\(person) AS person FROM \(table) INDEXED BY \(index)
        WHERE \(subject) AND \(filter) AND \(table).seq BETWEEN notices.first_event AND \(newest)
        ORDER BY \(table).seq DESC LIMIT \(Self.rows))
      WHERE person NOT IN (\(named.joined(separator: ", ")))
        AND (\(sight.apartFromNobody) OR \(sight.sees(person: "person")))
      LIMIT 1)
      """
  }

  func count(_ sight: Sight) -> String {
    sight.count(
      "notices.count", of: table,
      where: "\(subject) AND \(table).seq BETWEEN notices.first_event AND notices.last_event",
      counting: filter, by: person(table))
  }
}

extension Sight {
  fileprivate var apartFromNobody: String { hidesPeople ? "NOT \(Self.someoneIsApart)" : "1" }
}
