package import Memes
package import SQL

/// Stores reactions, in the tables `likes` and `favorites`. Triggers maintain the counts in `memes`.
///
/// Each call is one transaction. Changes are durable and counted on return. Reads run on the caller's thread, writes on
/// the writer thread.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)``
/// or ``MemeError/storage(_:)``. A method for one meme also throws ``MemeError/notFound`` or ``MemeError/gone`` if the
/// viewer cannot see it. The methods that change something may also throw ``MemeError/unauthorized`` if the viewer has
/// no account or has deleted it.
package struct ReactionStore: Sendable {
  private let writer: ObservedWriter
  private let readers: any Readers

  /// - Parameter observers: notified of every change of a count.
  package init(_ database: any Database, observers: [any ChangeObserver] = []) {
    writer = ObservedWriter(database, observers: observers)
    readers = database.readers
  }

  /// Adds a reaction. Has no effect if it exists already, so a client may repeat a request after it lost the response.
  package func put(
    _ reaction: Reaction, on id: MemeID, by viewer: Principal, at time: Timestamp
  ) async throws {
    let policy = AccessPolicy(viewer)
    try await writer.write { db in
      try db.lock(meme: id, by: viewer.person)
      func insert(in db: borrowing Transaction) throws -> Int {
        try db.run(
          reaction.insertion[policy], policy.person, id.bytes, time.millisecondsSince1970)
      }
      var added = try insert(in: db)
      if added == 0 {
        try Self.check(viewer, sees: id, in: db)
        // The meme may have been made in between.
        added = try insert(in: db)
      }
      return Written((), changes: added > 0 ? [.counted(id)] : [])
    }
  }

  /// Removes a reaction. Has no effect if there is none. Viewers can also remove their own from a meme that they can no
  /// longer see; repeating that throws ``MemeError/notFound``.
  package func remove(_ reaction: Reaction, from id: MemeID, by viewer: Principal) async throws {
    let policy = AccessPolicy(viewer)
    try await writer.write { db in
      try db.lock(meme: id, by: viewer.person)
      let removed = try db.run(reaction.deletion[policy], policy.person, id.bytes)
      if removed == 0 { try Self.check(viewer, sees: id, in: db) }
      return Written((), changes: removed > 0 ? [.counted(id)] : [])
    }
  }

  /// Finds out why a statement changed nothing.
  private static func check(
    _ viewer: Principal, sees id: MemeID, in db: borrowing Transaction
  ) throws {
    guard try authorNumber(viewer.person, in: db) != nil else { throw MemeError.unauthorized }
    _ = try visibleSequence(of: id, for: viewer, in: db)
  }

  /// A page of the users who like the meme, the most recent likes first. Users who block the viewer, or whom the viewer
  /// blocks, are left out.
  package func likers(
    of id: MemeID, for viewer: Principal, after position: ListPosition?, limit: Int
  ) async throws -> Page<Profile> {
    let policy = AccessPolicy(viewer)
    return try await readers.read { db in
      let meme = try visibleSequence(of: id, for: viewer, in: db)
      let start = position?.sequence ?? .max
      return try Page(limit: limit) { limit, note in
        try db.all(Self.likersQuery[policy], policy.person, meme, start, limit) {
          row in
          note(try row.next())
          return try Profile(listed: &row)
        }
      } ending: {
        guard policy.hidesPeople else { return nil }
        return try db.value(Self.likersStretch.query, policy.person, meme, start)
      }
    }
  }

  /// `?2` is the meme, `?3` the position after which the page begins, `?4` the maximum number of rows.
  static let likersQuery = PerViewerSQL { policy in
    """
    \(policy.hidesPeople ? likersStretch.with : "")
    SELECT likes.seq, likes.created_at, \(Profile.columns(policy)) FROM likes INDEXED BY likes_of_meme
    CROSS JOIN users ON users.seq = likes.user
    WHERE likes.meme = ?2 AND likes.seq < ?3 AND \(policy.sees(person: "likes.user"))
      \(policy.hidesPeople ? "AND \(ScanWindow.reaches("likes.seq"))" : "")
    ORDER BY likes.seq DESC LIMIT ?4
    """
  }

  /// The scan window of a page of likers.
  static let likersStretch = ScanWindow(
    of: "likes.seq",
    in: "likes INDEXED BY likes_of_meme WHERE likes.meme = ?2 AND likes.seq < ?3")

  /// A page of the memes with a reaction by the user, the newest memes first. Includes memes that the user can no
  /// longer see, but not purged memes.
  package func memes(
    with reaction: Reaction, by person: UserID, after position: ListPosition?, limit: Int
  ) async throws -> Page<ReactedMeme> {
    try await readers.read { db in
      try Page(limit: limit) { limit, note in
        try db.all(
          Self.memesQuery(reaction), person.bytes, position?.sequence ?? .max, limit
        ) { row in
          note(try row.next())
          return ReactedMeme(try row.nextMemeID(), at: try row.nextTimestamp())
        }
      }
    }
  }

  static func memesQuery(_ reaction: Reaction) -> String {
    """
    SELECT marks.meme, memes.id, marks.created_at
    FROM \(reaction.table) AS marks INDEXED BY \(reaction.table)_once
    CROSS JOIN memes ON memes.seq = marks.meme
    WHERE marks.user = \(AccessPolicy.asking) AND marks.meme < ?2 ORDER BY marks.meme DESC LIMIT ?3
    """
  }
}

extension Reaction {
  var table: String {
    switch self {
    case .like: "likes"
    case .favorite: "favorites"
    }
  }

  /// Adds a reaction if the viewer has an account and sees the meme. One statement, because the rows of the meme and of
  /// its author are locked until the end of the transaction.
  ///
  /// `?2` is the meme, `?3` the time.
  fileprivate var insertion: PerViewerSQL {
    switch self {
    case .like: Self.insertions.like
    case .favorite: Self.insertions.favorite
    }
  }

  /// Removes a reaction, unless the viewer sees that the meme is gone. `?2` is the meme.
  fileprivate var deletion: PerViewerSQL {
    switch self {
    case .like: Self.deletions.like
    case .favorite: Self.deletions.favorite
    }
  }

  private static let insertions = (like: insertion(of: .like), favorite: insertion(of: .favorite))
  private static let deletions = (like: deletion(of: .like), favorite: deletion(of: .favorite))

  private static func insertion(of reaction: Reaction) -> PerViewerSQL {
    PerViewerSQL { policy in
      """
      INSERT INTO \(reaction.table) (user, meme, created_at)
      SELECT users.seq, memes.seq, ?3 FROM users CROSS JOIN memes
      WHERE users.id = ?1 AND memes.id = ?2 AND memes.deleted_at IS NULL AND \(policy.sees())
      ON CONFLICT (user, meme) DO NOTHING
      """
    }
  }

  private static func deletion(of reaction: Reaction) -> PerViewerSQL {
    PerViewerSQL { policy in
      """
      DELETE FROM \(reaction.table) WHERE user = \(AccessPolicy.asking)
        AND meme = (SELECT seq FROM memes WHERE id = ?2 AND NOT (deleted_at IS NOT NULL AND \(policy.sees())))
      """
    }
  }
}

extension AccessPolicy {
  /// Whether the viewer has this reaction on the row of `memes`.
  func has(_ reaction: Reaction) -> String {
    viewer.isSignedIn
      ? "EXISTS (SELECT 1 FROM \(reaction.table) WHERE user = \(Self.asking) AND meme = memes.seq)"
      : "FALSE"
  }
}
