package import Memes
package import SQLite

/// What people put on memes, in the tables `likes` and `favorites`; triggers keep the counts in `memes`. Reads run on the
/// caller's thread, writes on the writer's.
package struct SQLiteMarks: MarkStore {
  private let writer: ObservedWriter
  private let readers: Readers

  /// - Parameter observers: hear of every change of a count.
  package init(_ database: Database, observers: [any ChangeObserver] = []) {
    writer = ObservedWriter(database, observers: observers)
    readers = database.readers
  }

  package func put(
    _ mark: Mark, on id: MemeID, by viewer: Viewer, at time: Timestamp
  ) async throws(MemeError) {
    try await write(on: id, by: viewer) { person, meme, db throws(MemeError) in
      try db.run(
        """
        INSERT INTO \(mark.table) (user, meme, created_at) VALUES (?, ?, ?)
        ON CONFLICT (user, meme) DO NOTHING
        """, person, meme, time.millisecondsSince1970)
    }
  }

  package func remove(
    _ mark: Mark, from id: MemeID, by viewer: Viewer
  ) async throws(MemeError) {
    try await writer.write { db throws(MemeError) in
      guard let person = try authorNumber(viewer.person, in: db) else { throw .unauthorized }
      var hidden: MemeError?
      do throws(MemeError) { _ = try visibleSequence(of: id, for: viewer, in: db) } catch {
        // Own marks can be removed from a meme that is hidden. If there is none, the answer says no more than others' do.
        guard case .notFound = error else { throw error }
        hidden = error
      }
      let removed = try db.run(
        "DELETE FROM \(mark.table) WHERE user = ? AND meme = (SELECT seq FROM memes WHERE id = ?)",
        person, id.bytes)
      if removed == 0, let hidden { throw hidden }
      return Written((), changes: removed > 0 ? [.counted(id)] : [])
    }
  }

  package func likers(
    of id: MemeID, for viewer: Viewer, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Profile> {
    let sight = Sight(viewer)
    return try readers.read { db throws(MemeError) in
      let meme = try visibleSequence(of: id, for: viewer, in: db)
      let start = position?.sequence ?? .max
      return try Page(limit: limit) { limit, note throws(MemeError) in
        try db.all(Self.likersQuery[sight], sight.person, meme, start, limit) {
          row throws(SQLiteError) in
          note(try row[Profile.columnCount])
          return try Profile(row)
        }
      } ending: { () throws(MemeError) in
        guard sight.hidesPeople else { return nil }
        return try db.first(Self.likersStretch.query, sight.person, meme, start) {
          row throws(SQLiteError) in try row[0]
        }
      }
    }
  }

  /// `?2` is the meme, `?3` the place that the page begins behind, `?4` how many there may be.
  static let likersQuery = SightedText { sight in
    """
    \(sight.hidesPeople ? likersStretch.with : "")
    SELECT \(Profile.columns(sight)), likes.seq FROM likes INDEXED BY likes_of_meme
    CROSS JOIN users ON users.seq = likes.user
    WHERE likes.meme = ?2 AND likes.seq < ?3 AND \(sight.sees(person: "likes.user"))
      \(sight.hidesPeople ? "AND \(Stretch.reaches("likes.seq"))" : "")
    ORDER BY likes.seq DESC LIMIT ?4
    """
  }

  /// How far a page of likers goes.
  static let likersStretch = Stretch(
    of: "likes.seq",
    in: "likes INDEXED BY likes_of_meme WHERE likes.meme = ?2 AND likes.seq < ?3")

  package func marked(
    _ mark: Mark, by person: UserID, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<MarkedMeme> {
    try readers.read { db throws(MemeError) in
      try Page(limit: limit) { limit, note throws(MemeError) in
        try db.all(
          Self.markedQuery(mark), person.bytes, position?.sequence ?? .max, limit
        ) { row throws(SQLiteError) in
          note(try row[0])
          return MarkedMeme(try row.memeID(at: 1), at: try row.timestamp(at: 2))
        }
      }
    }
  }

  static func markedQuery(_ mark: Mark) -> String {
    """
    SELECT marks.meme, memes.id, marks.created_at
    FROM \(mark.table) AS marks INDEXED BY \(mark.table)_once
    CROSS JOIN memes ON memes.seq = marks.meme
    WHERE marks.user = \(Sight.asking) AND marks.meme < ?2 ORDER BY marks.meme DESC LIMIT ?3
    """
  }

  /// - Parameter body: gets the `users.seq` of the person and the `memes.seq` of the meme, and returns how many rows it changed.
  private func write(
    on id: MemeID, by viewer: Viewer,
    _ body:
      @escaping @Sendable (Int64, Int64, borrowing Transaction<MemeError>) throws(MemeError) -> Int
  ) async throws(MemeError) {
    try await writer.write { db throws(MemeError) in
      guard let person = try authorNumber(viewer.person, in: db) else { throw .unauthorized }
      let meme = try visibleSequence(of: id, for: viewer, in: db)
      let changed = try body(person, meme, db)
      return Written((), changes: changed > 0 ? [.counted(id)] : [])
    }
  }
}

extension Mark {
  var table: String {
    switch self {
    case .like: "likes"
    case .favorite: "favorites"
    }
  }
}

extension Sight {
  /// Whether the viewer put a mark on the row of `memes`.
  func has(_ mark: Mark) -> String {
    switch viewer {
    case .anonymous, .holder: "0"
    case .person, .administrator, .admin:
      "EXISTS (SELECT 1 FROM \(mark.table) WHERE user = \(Self.asking) AND meme = memes.seq)"
    }
  }
}
