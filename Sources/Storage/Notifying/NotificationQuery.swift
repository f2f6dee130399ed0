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
        ON newest.seq = iif(notices.kind = 1, \(newestComment(sight)), NULL)
      LEFT JOIN comments AS oldest ON oldest.seq = \(oldestRecentComment)
      \(joins.joined(separator: "\n"))
      WHERE notices.user = \(Sight.asking) AND notices.place < ?2 AND \(isThere)
        AND actor0.seq IS NOT NULL
      ORDER BY notices.place DESC LIMIT ?3
      """
  }

  /// `?2` is the most that is counted.
  static let unreadQuery = SightedText { sight in
    """
    SELECT count(*) FROM (
      SELECT 1 FROM notifications AS notices INDEXED BY notifications_unread
      LEFT JOIN memes ON memes.seq = notices.meme
      WHERE notices.user = \(Sight.asking) AND notices.is_read = 0 AND \(isThere)
        AND (\(sight.isApartFromNobody) OR \(hasEvents(sight)))
      LIMIT ?2)
    """
  }

  /// Of what is in the trash nothing is shown.
  private static let isThere = "(notices.meme IS NULL OR memes.deleted_at IS NULL)"

  /// The characters of an excerpt have no more code points than that, but for such as nobody writes.
  private static let codePoints = 8 * Notification.excerptCharacters

  // The events of a notification, of each kind, for conditions on their rows.
  private static let likes = "likes.meme = notices.meme AND \(within("likes.seq"))"
  private static let comments = "\(ofMeme("comments")) AND \(within("comments.seq"))"
  private static let follows = "follows.followed = notices.user AND \(within("follows.seq"))"

  private static func ofMeme(_ comments: String) -> String {
    "\(comments).meme = notices.meme AND \(comments).deleted_at IS NULL"
  }

  private static func within(_ event: String) -> String {
    "\(event) BETWEEN notices.first_event AND notices.last_event"
  }

  private static func isOthers(_ person: String, _ sight: Sight) -> String {
    "\(person) <> notices.user AND (\(sight.isApartFromNobody) OR \(sight.sees(person: person)))"
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

  /// Whether anything is left for this viewer.
  private static func hasEvents(_ sight: Sight) -> String {
    """
    CASE notices.kind WHEN 0 THEN \(liker(0, sight)) WHEN 1 THEN \(newestComment(sight))
      ELSE \(follower(0, sight)) END IS NOT NULL
    """
  }

  /// One of those who did it last, from 0, as `users.seq`.
  private static func actor(_ place: Int, _ sight: Sight) -> String {
    """
    CASE notices.kind WHEN 0 THEN \(liker(place, sight))
      WHEN 1 THEN \(place == 0 ? "newest.user" : commenter(place, sight))
      ELSE \(follower(place, sight)) END
    """
  }

  private static func liker(_ place: Int, _ sight: Sight) -> String {
    """
    (SELECT likes.user FROM likes INDEXED BY likes_of_meme
      WHERE \(likes) AND \(isOthers("likes.user", sight))
      ORDER BY likes.seq DESC LIMIT 1 OFFSET \(place))
    """
  }

  private static func follower(_ place: Int, _ sight: Sight) -> String {
    """
    (SELECT follows.follower FROM follows INDEXED BY follows_of_followed
      WHERE \(follows) AND \(isOthers("follows.follower", sight))
      ORDER BY follows.seq DESC LIMIT 1 OFFSET \(place))
    """
  }

  /// Of those of a person's comments that are gone through, the newest stands for them.
  private static func commenter(_ place: Int, _ sight: Sight) -> String {
    """
    (SELECT comments.user FROM comments INDEXED BY comments_of_meme
      WHERE \(ofMeme("comments")) AND \(isOthers("comments.user", sight))
        AND comments.seq BETWEEN coalesce(oldest.seq, notices.first_event) AND newest.seq
        AND NOT EXISTS (
          SELECT 1 FROM comments AS later INDEXED BY comments_of_user
          WHERE later.user = comments.user AND \(ofMeme("later"))
            AND later.seq > comments.seq AND later.seq <= notices.last_event)
      ORDER BY comments.seq DESC LIMIT 1 OFFSET \(place))
    """
  }

  private static func newestComment(_ sight: Sight) -> String {
    """
    (SELECT comments.seq FROM comments INDEXED BY comments_of_meme
      WHERE \(comments) AND \(isOthers("comments.user", sight))
      ORDER BY comments.seq DESC LIMIT 1)
    """
  }

  /// One person may have written any number of comments: no more than a hundred are gone through to find another one.
  private static let oldestRecentComment = """
    (SELECT comments.seq FROM comments INDEXED BY comments_of_meme
      WHERE \(ofMeme("comments")) AND comments.seq BETWEEN notices.first_event AND newest.seq
      ORDER BY comments.seq DESC LIMIT 1 OFFSET 99)
    """
}

extension Sight {
  /// Whether there is nobody whom the viewer does not see; SQLite looks once for a statement.
  fileprivate var isApartFromNobody: String {
    hidesPeople ? "NOT EXISTS (SELECT 1 FROM \(Self.apart))" : "1"
  }
}
