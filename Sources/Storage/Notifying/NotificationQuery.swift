import Memes

/// What a person is told, newest first, and how much of it is unread. A person has no more than a thousand notifications, so that
/// is the most that is gone through.
extension SQLiteNotifications {
  /// `?2` is the place that the page begins behind, `?3` how many there may be.
  static let pageQuery = SightedText { sight in
    let actors = (0..<Notification.maximumActors).map { place in
      (name: "actor\(place)", number: actor(place, sight))
    }
    let columns = actors.map { actor in
      ["id", "username", "display_name", "avatar"].map { "\(actor.name).\($0)" }
    }
    let joins = actors.map { "LEFT JOIN users AS \($0.name) ON \($0.name).seq = \($0.number)" }
    return """
      SELECT notices.place, notices.kind, notices.created_at, notices.updated_at, notices.is_read,
        \(count(sight)),
        memes.id, memes.version, memes.alt_text, pictures.width, pictures.height,
        newest.id, substr(newest.text, 1, \(codePoints)),
        \(columns.joined().joined(separator: ", "))
      FROM notifications AS notices INDEXED BY notifications_of_user
      LEFT JOIN memes ON memes.seq = notices.meme
      LEFT JOIN pictures ON pictures.meme = memes.seq AND pictures.role = 3
      LEFT JOIN comments AS newest
        ON newest.seq = iif(notices.kind = 1, \(newestComment(0, sight)), NULL)
      \(joins.joined(separator: "\n"))
      WHERE notices.user = \(Sight.asking) AND notices.place < ?2 AND \(isShown(sight))
      ORDER BY notices.place DESC LIMIT ?3
      """
  }

  /// `?2` is the most that is counted.
  static let unreadQuery = SightedText { sight in
    """
    SELECT count(*) FROM (
      SELECT 1 FROM notifications AS notices INDEXED BY notifications_unread
      LEFT JOIN memes ON memes.seq = notices.meme
      WHERE notices.user = \(Sight.asking) AND notices.is_read = 0 AND \(isShown(sight))
      LIMIT ?2)
    """
  }

  /// Of what is in the trash nothing is shown.
  private static func isShown(_ sight: Sight) -> String {
    let isThere = "(notices.meme IS NULL OR memes.deleted_at IS NULL)"
    return sight.hidesPeople ? "\(isThere) AND \(count(sight)) > 0" : isThere
  }

  /// The characters of an excerpt have no more code points than that, but for such as nobody writes.
  private static let codePoints = 8 * Notification.excerptCharacters

  // The events of a notification, of each kind, for conditions on their rows.
  private static let likes = "likes.meme = notices.meme AND \(within("likes.seq"))"
  private static let comments = commentsFrom("notices.first_event")
  private static let follows = "follows.followed = notices.user AND \(within("follows.seq"))"

  private static func commentsFrom(_ first: String) -> String {
    """
    comments.meme = notices.meme AND comments.deleted_at IS NULL
      AND comments.seq BETWEEN \(first) AND notices.last_event
    """
  }

  private static func within(_ event: String) -> String {
    "\(event) BETWEEN notices.first_event AND notices.last_event"
  }

  /// What is left of the count for this viewer.
  private static func count(_ sight: Sight) -> String {
    func count(_ table: String, _ condition: String, by person: String) -> String {
      sight.count("notices.count", of: table, where: condition, by: person)
    }
    guard sight.hidesPeople else { return "notices.count" }
    return """
      CASE notices.kind
        WHEN 0 THEN \(count("likes", likes, by: "likes.user"))
        WHEN 1 THEN \(count("comments", comments, by: "comments.user"))
        ELSE \(count("follows", follows, by: "follows.follower")) END
      """
  }

  /// The number of one of the newest comments, from 0.
  private static func newestComment(_ place: Int, _ sight: Sight) -> String {
    """
    (SELECT seq FROM comments INDEXED BY comments_of_meme
      WHERE \(comments) AND \(isOthers("comments.user", sight))
      ORDER BY comments.seq DESC LIMIT 1 OFFSET \(place))
    """
  }

  private static func isOthers(_ person: String, _ sight: Sight) -> String {
    "\(person) <> notices.user AND \(sight.sees(person: person))"
  }

  /// One of those who did it last, from 0, as `users.seq`.
  ///
  /// One person may have written any number of comments: no more than a hundred are gone through to find another one.
  private static func actor(_ place: Int, _ sight: Sight) -> String {
    let recent = commentsFrom("coalesce(\(newestComment(99, sight)), notices.first_event)")
    return """
      CASE notices.kind WHEN 0 THEN (
          SELECT likes.user FROM likes INDEXED BY likes_of_meme
          WHERE \(likes) AND \(isOthers("likes.user", sight))
          ORDER BY likes.seq DESC LIMIT 1 OFFSET \(place))
        WHEN 1 THEN (
          SELECT comments.user FROM comments INDEXED BY comments_of_meme
          WHERE \(recent) AND \(isOthers("comments.user", sight)) AND NOT EXISTS (
            SELECT 1 FROM comments AS later INDEXED BY comments_of_user
            WHERE later.user = comments.user AND later.meme = comments.meme
              AND later.seq > comments.seq AND later.seq <= notices.last_event
              AND later.deleted_at IS NULL)
          ORDER BY comments.seq DESC LIMIT 1 OFFSET \(place))
        ELSE (
          SELECT follows.follower FROM follows INDEXED BY follows_of_followed
          WHERE \(follows) AND \(sight.sees(person: "follows.follower"))
          ORDER BY follows.seq DESC LIMIT 1 OFFSET \(place)) END
      """
  }
}
