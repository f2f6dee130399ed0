import SQLite

/// How far a library has read the changes.
struct ReadingPlace: Sendable, Equatable {
  /// `nil` at the beginning.
  let cursor: Cursor?
  /// Whether it has read all once since it began at the beginning.
  let isWhole: Bool
  /// Counts the beginnings.
  let generation: Int
}

// Whose library it is, and how far it has read.
extension LibraryStore {
  static func place(in db: borrowing Access) throws(LibraryError) -> ReadingPlace {
    let place = try db.first("SELECT cursor, is_whole, generation FROM library") {
      row throws(SQLiteError) in
      ReadingPlace(
        cursor: (try row[0] as String?).map { Cursor($0) }, isWhole: try row[1],
        generation: try row[2])
    }
    guard let place else { throw .storage("The row of the library is missing.") }
    return place
  }

  static func move(
    to cursor: Cursor, isWhole: Bool, in db: borrowing Access
  ) throws(LibraryError) {
    try db.run("UPDATE library SET cursor = ?, is_whole = ?", cursor.text, isWhole)
  }

  func place() throws(LibraryError) -> ReadingPlace {
    try read { db throws(LibraryError) in try Self.place(in: db) }
  }

  /// Begins at the beginning again. What was read before stays to be seen until all was read anew.
  ///
  /// - Parameter cursor: the one that is not taken any more; where the library is elsewhere by now, it stays there.
  func beginAgain(insteadOf cursor: Cursor?) async throws(LibraryError) {
    try await write { db throws(LibraryError) in
      try db.run(
        """
        UPDATE library SET cursor = NULL, is_whole = 0, generation = generation + 1
        WHERE cursor IS ?
        """, cursor?.text)
      // The server may be another one, or restored from a backup. The pictures are shown until they are fetched again.
      try db.run("UPDATE pictures SET version = 0")
    }
  }

  func person() throws(LibraryError) -> String? {
    try read { db throws(LibraryError) in
      try db.first("SELECT person FROM library") { row throws(SQLiteError) in
        try row[0] as String?
      } ?? nil
    }
  }

  /// Makes it the library of this person where it is nobody's yet.
  ///
  /// - Returns: whose it is.
  func claim(for person: String) async throws(LibraryError) -> String {
    try await write { db throws(LibraryError) in
      try db.run("UPDATE library SET person = ? WHERE person IS NULL", person)
      let owner = try db.first("SELECT person FROM library") { row throws(SQLiteError) in
        try row[0] as String
      }
      return owner ?? person
    }
  }

  /// Takes everything out, so that it is nobody's library.
  func clear() async throws(LibraryError) {
    try await write { db throws(LibraryError) in
      for table in ["memes", "outbox", "drafts", "originals", "withdrawn", "pictures"] {
        try db.run("DELETE FROM \(table)")
      }
      try db.run("UPDATE library SET person = NULL, cursor = NULL, is_whole = 0, generation = 1")
    }
  }
}
