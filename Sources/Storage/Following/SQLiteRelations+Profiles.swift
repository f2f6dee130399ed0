package import Memes
import SQLite

/// People as others see them.
extension SQLiteRelations {
  package func profile(
    _ username: Username, for viewer: Viewer
  ) async throws(MemeError) -> Profile {
    let sight = Sight(viewer)
    return try readers.read { db throws(MemeError) in
      let found = try db.first(
        """
        SELECT \(Profile.columns(sight)) FROM users
        WHERE username = ?2 AND \(sight.sees(person: "users.seq"))
        """, sight.person, username.text
      ) { row throws(SQLiteError) in try Profile(row) }
      guard let found else { throw .notFound }
      return found
    }
  }

  package func page(
    of circle: Circle, for viewer: Viewer, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Profile> {
    let sight = Sight(viewer)
    return try readers.read { db throws(MemeError) in
      let center = try center(of: circle, sight, in: db)
      let start = position?.sequence ?? .max
      return try Page(limit: limit) { limit, note throws(MemeError) in
        try db.all(Self.query(circle, sight), sight.person, center, start, limit) {
          row throws(SQLiteError) in
          note(try row[Profile.columnCount])
          return try Profile(row)
        }
      } ending: { () throws(MemeError) in
        guard let stretch = Self.stretch(circle, sight) else { return nil }
        return try db.first(stretch.query, sight.person, center, start) {
          row throws(SQLiteError) in try row[0]
        }
      }
    }
  }

  /// The `users.seq` of the person whose list it is.
  private func center(
    of circle: Circle, _ sight: Sight, in db: borrowing Transaction<MemeError>
  ) throws(MemeError) -> Int64 {
    switch circle {
    case .friends(let person), .blocked(let person):
      guard let number = try authorNumber(person, in: db) else { throw .unauthorized }
      return number
    case .followers(let username), .following(let username):
      let found = try db.first(
        "SELECT seq FROM users WHERE username = ?2 AND \(sight.sees(person: "users.seq"))",
        sight.person, username.text
      ) { row throws(SQLiteError) in try row[0] as Int64 }
      guard let found else { throw .notFound }
      return found
    }
  }

  /// `?2` is whose list it is, `?3` the place that the page begins behind, `?4` how many there may be.
  static func query(_ circle: Circle, _ sight: Sight) -> String {
    let (table, center, person) = links(circle)
    let condition =
      switch circle {
      case .followers, .following: sight.sees(person: "link.\(person)")
      // Nobody is apart from a friend.
      case .friends: Sight.follows("link.followed", "link.follower")
      case .blocked: "1"
      }
    let stretch = stretch(circle, sight)
    return """
      \(stretch?.with ?? "")
      SELECT \(Profile.columns(sight)), link.seq FROM \(table)
      CROSS JOIN users ON users.seq = link.\(person)
      WHERE link.\(center) = ?2 AND link.seq < ?3 AND \(condition)
        \(stretch == nil ? "" : "AND \(Stretch.reaches("link.seq"))")
      ORDER BY link.seq DESC LIMIT ?4
      """
  }

  /// How far a page goes; `nil` where it leaves nobody out for being apart.
  static func stretch(_ circle: Circle, _ sight: Sight) -> Stretch? {
    switch circle {
    case .friends, .blocked: return nil
    case .followers, .following:
      guard sight.hidesPeople else { return nil }
      let (table, center, _) = links(circle)
      return Stretch(
        of: "link.seq", in: "\(table) WHERE link.\(center) = ?2 AND link.seq < ?3")
    }
  }

  /// The table, by the index that has its order, and its columns of whose list it is and of who is in it.
  private static func links(
    _ circle: Circle
  ) -> (table: String, center: String, person: String) {
    switch circle {
    case .followers: ("follows AS link INDEXED BY follows_of_followed", "followed", "follower")
    case .following, .friends:
      ("follows AS link INDEXED BY follows_of_follower", "follower", "followed")
    case .blocked: ("blocks AS link INDEXED BY blocks_of_blocker", "blocker", "blocked")
    }
  }
}

extension Profile {
  /// How many ``columns(_:)`` there are.
  static let columnCount = 15

  /// What ``init(_:)`` decodes, from `users`.
  static func columns(_ sight: Sight) -> String {
    let memes =
      switch sight.viewer {
      case .administrator, .admin: "public_memes + friends_memes + private_memes"
      case .anonymous, .holder: "public_memes"
      case .person:
        """
        public_memes + iif(\(Sight.isFriend("users.seq")), friends_memes, 0)
          + iif(users.seq = \(Sight.asking), friends_memes + private_memes, 0)
        """
      }
    let followers = sight.count(
      "users.followers", of: "follows", where: "follows.followed = users.seq",
      by: "follows.follower")
    let following = sight.count(
      "users.following", of: "follows", where: "follows.follower = users.seq",
      by: "follows.followed")
    return """
      \(User.columns), \(memes), \(followers), \(following),
      \(Sight.follows(Sight.asking, "users.seq")), \(Sight.follows("users.seq", Sight.asking)),
      \(Sight.blocks(Sight.asking, "users.seq"))
      """
  }

  /// Decodes ``columns(_:)``.
  init(_ row: borrowing Row) throws(SQLiteError) {
    self.init(
      user: try User(row),
      counts: Counts(memes: try row[9], followers: try row[10], following: try row[11]),
      relation: Relation(
        follows: try row[12], followedBy: try row[13], blocks: try row[14]))
  }
}
