package import Memes
package import SQL

/// Looks up existing memes and users for ``MemeImport``. Each call is a read of its own, on the calling thread.
///
/// Every method may throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
///
/// The lookups for ``MemeImport``, in the tables `memes`, `deleted_memes` and `users`.
package struct ImportCatalogue: Sendable {
  private let readers: any Readers

  package init(_ readers: any Readers) { self.readers = readers }

  /// Whether a meme of any author has or had this ID.
  package func status(of id: MemeID) throws -> ImportStatus {
    try readers.blockingRead { db in
      try db.first(
        """
        SELECT deleted_at IS NULL FROM memes WHERE id = ?1
        UNION ALL SELECT FALSE FROM deleted_memes WHERE id = ?1
        """, id.bytes
      ) { row in try row.next() as Bool ? .there : .deleted } ?? .free
    }
  }

  /// The user as an author; `nil` if there is no such user.
  package func author(named username: Username) throws -> Author? {
    try readers.blockingRead { db in
      try db.first(
        "SELECT id, username, display_name, avatar FROM users WHERE username = ?", username.text
      ) { row in try row.nextAuthor() } ?? nil
    }
  }
}
