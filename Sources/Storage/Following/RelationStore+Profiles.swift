package import Memes
import SQL

/// Profiles and lists of people, as a viewer sees them.
extension RelationStore {
  /// A user as the viewer sees them.
  package func profile(
    _ username: Username, for viewer: Principal
  ) async throws -> Profile {
    let policy = AccessPolicy(viewer)
    return try await readers.read { db in
      let found = try db.first(
        """
        SELECT \(Profile.columns(policy)) FROM users
        WHERE username = ?2 AND \(policy.sees(person: "users.seq"))
        """, policy.person, username.text
      ) { row in try Profile(&row) }
      guard let found else { throw MemeError.notFound }
      return found
    }
  }

  /// The current username of the person who had this one until recently; `nil` if there is none that the viewer can
  /// see.
  package func currentUsername(
    ofFormer username: Username, for viewer: Principal, at time: Timestamp
  ) async throws -> Username? {
    let policy = AccessPolicy(viewer)
    return try await readers.read { db in
      try db.first(
        """
        SELECT username FROM users
        WHERE former_username = ?2 AND renamed_at > ?3 AND \(policy.sees(person: "users.seq"))
        """, policy.person, username.text,
        Username.reservationHorizon(at: time).millisecondsSince1970
      ) { row in Username(stored: try row.next()) }
    }
  }

  /// A page of a list of users, the most recent relations first. Users who block the viewer, or whom the viewer blocks,
  /// are left out, except in the viewer's list of blocked users.
  ///
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the owner of the list; ``MemeError/unauthorized`` if the
  ///   account of the owner was deleted.
  package func page(
    of circle: UserList, for viewer: Principal, after position: ListPosition?, limit: Int
  ) async throws -> Page<Profile> {
    let policy = AccessPolicy(viewer)
    return try await readers.read { db in
      let center = try center(of: circle, policy, in: db)
      let start = position?.sequence ?? .max
      return try Page(limit: limit) { limit, note in
        try db.all(Self.query(circle, policy), policy.person, center, start, limit) {
          row in
          note(try row.next())
          return try Profile(listed: &row)
        }
      } ending: {
        guard let stretch = Self.stretch(circle, policy) else { return nil }
        return try db.value(stretch.query, policy.person, center, start)
      }
    }
  }

  /// The `users.seq` of the owner of the list.
  private func center(
    of circle: UserList, _ policy: AccessPolicy, in db: borrowing Transaction
  ) throws -> Int64 {
    switch circle {
    case .friends(let person), .blocked(let person):
      guard let number = try authorNumber(person, in: db) else { throw MemeError.unauthorized }
      return number
    case .followers(let username), .following(let username):
      let found: Int64? = try db.value(
        "SELECT seq FROM users WHERE username = ?2 AND \(policy.sees(person: "users.seq"))",
        policy.person, username.text)
      guard let found else { throw MemeError.notFound }
      return found
    }
  }

  /// `?2` is the owner of the list, `?3` the position after which the page begins, `?4` the maximum number of rows.
  static func query(_ circle: UserList, _ policy: AccessPolicy) -> String {
    let (table, center, person) = links(circle)
    let condition =
      switch circle {
      case .followers, .following: policy.sees(person: "link.\(person)")
      // Friends are never blocked either way.
      case .friends: AccessPolicy.follows("link.followed", "link.follower")
      case .blocked: "TRUE"
      }
    let stretch = stretch(circle, policy)
    return """
      \(stretch?.with ?? "")
      SELECT link.seq, link.created_at, \(Profile.columns(policy)) FROM \(table)
      CROSS JOIN users ON users.seq = link.\(person)
      WHERE link.\(center) = ?2 AND link.seq < ?3 AND \(condition)
        \(stretch == nil ? "" : "AND \(ScanWindow.reaches("link.seq"))")
      ORDER BY link.seq DESC LIMIT ?4
      """
  }

  /// The scan window of a page; `nil` if the list hides no one.
  static func stretch(_ circle: UserList, _ policy: AccessPolicy) -> ScanWindow? {
    switch circle {
    case .friends, .blocked: return nil
    case .followers, .following:
      guard policy.hidesPeople else { return nil }
      let (table, center, _) = links(circle)
      return ScanWindow(
        of: "link.seq", in: "\(table) WHERE link.\(center) = ?2 AND link.seq < ?3")
    }
  }

  /// The table with the index for its order, and the columns of the list's owner and its members.
  private static func links(
    _ circle: UserList
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
  /// The columns that ``init(_:)`` decodes, from `users`.
  static func columns(_ policy: AccessPolicy) -> String {
    let memes =
      switch policy.viewer {
      case .administrator, .admin: "public_memes + friends_memes + private_memes"
      case .anonymous, .deleteTokenHolder: "public_memes"
      case .person:
        """
        public_memes + CASE WHEN \(AccessPolicy.isFriend("users.seq")) THEN friends_memes ELSE 0 END
          + CASE WHEN users.seq = \(AccessPolicy.asking) THEN friends_memes + private_memes ELSE 0 END
        """
      }
    let followers = policy.count(
      "users.followers", of: "follows", where: "follows.followed = users.seq",
      by: "follows.follower")
    let following = policy.count(
      "users.following", of: "follows", where: "follows.follower = users.seq",
      by: "follows.followed")
    return """
      \(User.columns), \(memes), \(followers), \(following),
      \(AccessPolicy.follows(AccessPolicy.asking, "users.seq")), \(AccessPolicy.follows("users.seq", AccessPolicy.asking)),
      \(AccessPolicy.blocks(AccessPolicy.asking, "users.seq"))
      """
  }

  /// Decodes ``columns(_:)``.
  init(_ row: inout Row) throws { try self.init(&row, listedAt: nil) }

  /// Decodes the time when the person got into a list, and ``columns(_:)``.
  init(listed row: inout Row) throws {
    let time = Timestamp(millisecondsSince1970: try row.next())
    try self.init(&row, listedAt: time)
  }

  private init(_ row: inout Row, listedAt: Timestamp?) throws {
    self.init(
      user: try User(&row),
      counts: Counts(memes: try row.next(), followers: try row.next(), following: try row.next()),
      relation: Relation(
        follows: try row.next(), followedBy: try row.next(), blocks: try row.next()),
      listedAt: listedAt)
  }
}
