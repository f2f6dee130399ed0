import Memes

/// The queries for a person's notifications, newest first, and for the number of unread ones. A person has at most
/// 1,000 notifications, which bounds every scan.
extension NotificationStore {
  /// `?2` is the position after which the page begins, `?3` the maximum number of rows.
  static let pageQuery = PerViewerSQL { policy in
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
    let events = NotifiedEvents.allKinds.flatMap { kind in places.map { kind.join($0, policy) } }
    let stretch = stretch(policy)
    let count = count(policy)
    return """
      \(stretch?.with ?? "")
      SELECT notices.place, notices.kind, notices.created_at, notices.updated_at, notices.is_read,
        \(count),
        memes.id, memes.version, memes.alt_text, pictures.width, pictures.height,
        comments0.id, substr(comments0.text, 1, \(codePoints)),
        \(columns.joined(separator: ", "))
      FROM notifications AS notices
      LEFT JOIN memes ON memes.seq = notices.meme
      LEFT JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
      \((events + actors).joined(separator: "\n"))
      WHERE notices.user = \(AccessPolicy.asking) AND notices.place < ?2 AND \(isThere)
        \(stretch == nil ? "" : "AND \(ScanWindow.reaches("notices.place"))")
        AND (actor0.seq IS NOT NULL OR \(count) > 0)
      ORDER BY notices.place DESC LIMIT ?3
      """
  }

  /// The scan window of a page; `nil` if no one is hidden. It has a tenth of the default rows, because each row may
  /// need a search through many events of hidden people.
  static func stretch(_ policy: AccessPolicy) -> ScanWindow? {
    guard policy.hidesPeople else { return nil }
    return ScanWindow(
      of: "notices.place", rows: PageLimit.range.upperBound,
      in: """
        notifications AS notices
        WHERE notices.user = \(AccessPolicy.asking) AND notices.place < ?2
        """)
  }

  /// `?2` is the maximum count.
  static let unreadQuery = PerViewerSQL { policy in
    let events = NotifiedEvents.allKinds.map { "WHEN \($0.kind) THEN \($0.event(0, policy))" }
    return """
      SELECT count(*) FROM (
        SELECT 1 FROM notifications AS notices INDEXED BY notifications_unread
        LEFT JOIN memes ON memes.seq = notices.meme
        WHERE notices.user = \(AccessPolicy.asking) AND NOT notices.is_read AND \(isThere)
          AND (\(policy.viewerHasNoBlocks)
            -- A person likes or follows the same thing only once. If events outnumber hidden people, one is visible.
            OR notices.kind <> 1 AND notices.count > \(AccessPolicy.crowdSize)
            OR CASE notices.kind \(events.joined(separator: " ")) END IS NOT NULL)
        LIMIT ?2) AS unread
      """
  }

  /// Notifications about memes in the trash are hidden.
  private static let isThere = "(notices.meme IS NULL OR memes.deleted_at IS NULL)"

  /// The number of code points to read for an excerpt: more than its characters have in real text.
  private static let codePoints = 8 * Notification.excerptCharacters

  /// The number of a notification's events that the viewer sees.
  private static func count(_ policy: AccessPolicy) -> String {
    guard policy.hidesPeople else { return "notices.count" }
    let counts = NotifiedEvents.allKinds.map { "WHEN \($0.kind) THEN \($0.count(policy))" }
    return "CASE notices.kind \(counts.joined(separator: " ")) END"
  }
}

/// The events of one kind of notification.
private struct NotifiedEvents {
  /// At most 100 rows are scanned for an actor to display. Hidden people, the recipient, and actors who are already
  /// listed are skipped. There may be any number of events by them.
  private static let rows = 100

  static let allKinds = [
    NotifiedEvents(
      kind: 0, table: "likes", index: "likes_of_meme", person: "user",
      subject: "likes.meme = notices.meme"),
    NotifiedEvents(
      kind: 1, table: "comments", index: "comments_of_meme", person: "user",
      subject: "comments.meme = notices.meme", hasDeleted: true),
    NotifiedEvents(
      kind: 2, table: "follows", index: "follows_of_followed", person: "follower",
      subject: "follows.followed = notices.user"),
  ]

  let kind: Int
  private let table: String
  /// The index with the events of a subject in their order.
  private let index: String
  /// The column of the actor.
  private let person: String
  private let subject: String
  /// Whether deleted events keep their rows, and the index separates them from the others.
  private let hasDeleted: Bool

  private init(
    kind: Int, table: String, index: String, person: String, subject: String,
    hasDeleted: Bool = false
  ) {
    (self.kind, self.table, self.index, self.person) = (kind, table, index, person)
    (self.subject, self.hasDeleted) = (subject, hasDeleted)
  }

  private var filter: String { hasDeleted ? "\(table).deleted_at IS NULL" : "TRUE" }

  /// The newest events first, in the order of the index.
  private var order: String {
    "\(hasDeleted ? "\(table).deleted_at DESC, " : "")\(table).seq DESC"
  }

  /// The alias of the event that provides the actor at this index, which begins at 0.
  func name(_ place: Int) -> String { "\(table)\(place)" }

  func person(_ event: String) -> String { "\(event).\(person)" }

  func join(_ place: Int, _ policy: AccessPolicy) -> String {
    let event = name(place)
    return """
      LEFT JOIN \(table) AS \(event)
        ON \(event).seq = CASE WHEN notices.kind = \(kind) THEN \(self.event(place, policy)) END
      """
  }

  /// The newest event of an actor who is not listed yet. The scan continues after the event of the previous actor.
  func event(_ place: Int, _ policy: AccessPolicy) -> String {
    let newest = place == 0 ? "notices.last_event" : "\(name(place - 1)).seq - 1"
    let named = ["notices.user"] + (0..<place).map { person(name($0)) }
    // SQLite reads the rows of the subquery in order, and stops at the first match.
    return """
      (SELECT seq FROM (
        SELECT \(table).seq AS seq, \(table).\(person) AS person FROM \(table) INDEXED BY \(index)
        WHERE \(subject) AND \(filter) AND \(table).seq BETWEEN notices.first_event AND \(newest)
        ORDER BY \(order) LIMIT \(Self.rows)) AS events
      WHERE person NOT IN (\(named.joined(separator: ", ")))
        AND (\(policy.viewerHasNoBlocks) OR \(policy.sees(person: "person")))
      LIMIT 1)
      """
  }

  func count(_ policy: AccessPolicy) -> String {
    policy.count(
      "notices.count", of: table,
      where: "\(subject) AND \(table).seq BETWEEN notices.first_event AND notices.last_event",
      counting: filter, by: person(table))
  }
}

extension AccessPolicy {
  fileprivate var viewerHasNoBlocks: String { hidesPeople ? "NOT \(Self.viewerHasBlocks)" : "TRUE" }
}
