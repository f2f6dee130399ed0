import SQL

/// The position of a library in the server's list of changes.
struct ReadingPlace: Sendable, Equatable {
  /// `nil` at the beginning.
  let cursor: Cursor?
  /// Whether the library has read everything once since it last started from the beginning.
  let isWhole: Bool
  /// The number of times that reading has started from the beginning.
  let generation: Int
}

// The owner of the library, and its position in the list of changes.
extension LibraryStore {
  static func place(in db: borrowing Access) throws -> ReadingPlace {
    let place = try db.first("SELECT cursor, is_whole, generation FROM library") {
      row in
      ReadingPlace(
        cursor: (try row[0] as String?).map { Cursor($0) }, isWhole: try row[1],
        generation: try row[2])
    }
    guard let place else {
      throw LibraryError.storage("The library row is missing from the database.")
    }
    return place
  }

  static func move(
    to cursor: Cursor, isWhole: Bool, in db: borrowing Access
  ) throws {
    try db.run("UPDATE library SET cursor = ?, is_whole = ?", cursor.text, isWhole)
  }

  func place() throws(LibraryError) -> ReadingPlace {
    try read { db in try Self.place(in: db) }
  }

  /// Restarts reading from the beginning. Memes that were read before remain visible until everything is read again.
  ///
  /// - Parameter cursor: The rejected cursor. If the library has moved to another position since, it stays there.
  func beginAgain(insteadOf cursor: Cursor?) async throws(LibraryError) {
    try await write { db in
      try db.run(
        "\(Self.beginning) WHERE cursor IS ?2", Self.memberSets, cursor?.text)
      // The server may be another one or restored from a backup. Images are shown until they are downloaded again.
      try db.run("UPDATE pictures SET version = 0")
    }
  }

  /// Restarts reading from the beginning if an earlier version of the library has read memes without the members that
  /// it did not know. An edit would overwrite members that the user did not see.
  ///
  /// A creation that may be in transit is settled first: after a restart, its outcome could be unknown.
  ///
  /// - Returns: Whether reading restarted.
  func beginAgainForNewMembers() async throws(LibraryError) -> Bool {
    let isOutdated = try read { db in
      try db.first("SELECT 1 FROM library WHERE member_sets < ?", Self.memberSets) { _ in true }
    }
    guard isOutdated != nil else { return false }
    return try await write { db in
      try db.run(
        """
        \(Self.beginning) WHERE member_sets < ?1
          AND NOT EXISTS (SELECT 1 FROM outbox WHERE kind = 1 AND was_attempted = 1)
        """, Self.memberSets) > 0
    }
  }

  private static let beginning = """
    UPDATE library SET cursor = NULL, is_whole = 0, generation = generation + 1, member_sets = ?1
    """

  func owner() throws(LibraryError) -> LibraryOwner? {
    try read { db in try Self.owner(in: db) }
  }

  /// Makes a person the owner of the library if it has none, or if the owner is the same person under another username.
  ///
  /// - Returns: The owner.
  func claim(for person: LibraryOwner) async throws(LibraryError) -> LibraryOwner {
    try await write { db in
      if let owner = try Self.owner(in: db), !owner.isSame(as: person) { return owner }
      try db.run("UPDATE library SET person = ?", person.text)
      return person
    }
  }

  private static func owner(in db: borrowing Access) throws -> LibraryOwner? {
    let text = try db.first("SELECT person FROM library") { row in try row[0] as String? }
    return text.flatMap(\.self).flatMap(LibraryOwner.init)
  }

  /// Removes all content and the owner.
  func clear() async throws(LibraryError) {
    try await write { db in
      for table in ["memes", "outbox", "drafts", "originals", "withdrawn", "pictures"] {
        try db.run("DELETE FROM \(table)")
      }
      try db.run(
        """
        UPDATE library SET person = NULL, cursor = NULL, is_whole = 0, generation = 1, member_sets = ?
        """, Self.memberSets)
    }
  }
}
