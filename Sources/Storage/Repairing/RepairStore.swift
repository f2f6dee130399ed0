package import Memes
package import SQL

/// Repairs damaged rows, in all tables. Does not notify observers, because no server may use the database during a
/// repair.
///
/// Each call is one transaction. Changes are durable on return. Reads run on the caller's thread, writes on the writer
/// thread. Every method may throw ``MemeError/storageFull``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package struct RepairStore: Sendable {
  let readers: any Readers
  let writer: any Writer
  let blobs: Blobs

  package init(_ database: any Database) {
    (readers, writer, blobs) = (database.readers, database.writer, database.blobs)
  }

  /// Deletes rows of a table that refer to missing rows. If a row is useful without the reference,
  /// clears the reference instead.
  ///
  /// - Returns: the number of changed rows.
  package func repairReferences(of table: String) async throws -> Int {
    try await writer.transaction { db in
      var count = 0
      for rule in ReferenceRule.all where rule.table == table {
        count += try db.run(rule.statement)
      }
      return count
    }
  }

  /// Deletes the upload and its pieces.
  package func removeUnfinishedUpload(_ upload: Int64) async throws {
    try await writer.transaction { db in
      try db.run("DELETE FROM upload_pieces WHERE upload = ?", upload)
      try db.run("DELETE FROM unfinished_uploads WHERE seq = ?", upload)
    }
  }

  /// Deletes bytes that nothing refers to.
  package func removeBlobs(_ blobs: ArraySlice<Int64>) async throws {
    try await writer.transaction { db in
      for blob in blobs { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
    }
  }

  /// Recomputes a stored counter.
  ///
  /// - Returns: the number of rows that were wrong.
  /// - Throws: ``MemeError/notFound`` if there is no such counter.
  package func recount(_ column: String, of table: String) async throws -> Int {
    guard let count = StoredCount.named(column, of: table) else { throw MemeError.notFound }
    return try await writer.transaction { db in
      // Differences that are not in the row yet would be added to the new number.
      if table == "totals", db.dialect == .postgreSQL { try db.run("SELECT fold_totals()") }
      return try db.run(
        """
        UPDATE \(table) SET \(column) = \(count.expression)
        WHERE \(column) IS DISTINCT FROM \(count.expression)
        """)
    }
  }

  /// Corrects the changes that clients sync, from the current memes.
  ///
  /// - Parameter time: the deletion time of memes that turn out to be missing.
  /// - Returns: the number of memes with a wrong change.
  package func rewriteChanges(at time: Timestamp) async throws -> Int {
    try await writer.transaction { db in
      let wrong = try db.all(ToldChange.wrong) { row in
        (
          meme: try row.nextMemeID(), author: try row.next() as Int64,
          deletedAt: try row.next() as Int64?
        )
      }
      for change in wrong {
        try insertChange(change.meme, by: change.author, deletedAt: change.deletedAt, in: db)
      }
      let stray = try db.all(ToldChange.stray) { row in
        (meme: try row.nextMemeID(), author: try row.next() as Int64)
      }
      for change in stray {
        try tellDeleted(change.meme, of: change.author, at: time.millisecondsSince1970, in: db)
      }
      return wrong.count + stray.count
    }
  }

  /// Corrects the tags by which memes are found, from the current memes. Leaves out memes whose own tags are damaged.
  ///
  /// - Returns: the number of corrected memes.
  package func rewriteTags() async throws -> Int {
    try await writer.transaction { db in
      let wrong = try db.all(MisplacedTags.memes) { row in
        let (meme, json): (Int64, String) = (try row.next(), try row.next())
        return (try? StoredTags.decode(json)).map { (meme: meme, tags: $0) }
      }.compactMap(\.self)
      for (meme, tags) in wrong { try replaceTags(with: tags, of: meme, in: db) }
      return wrong.count
    }
  }
}

/// Inserts the change with a new number, after all numbers that clients know. Does nothing without the account.
private func insertChange(
  _ meme: MemeID, by author: Int64, deletedAt: Int64?, in db: borrowing Transaction
) throws {
  let number: Int64? = try db.value(
    "UPDATE users SET last_change = last_change + 1 WHERE seq = ? RETURNING last_change", author)
  guard let number else { return }
  try db.run("DELETE FROM changes WHERE meme = ?", meme.bytes)
  try db.run(
    "INSERT INTO changes (author, number, meme, deleted_at) VALUES (?, ?, ?, ?)", author, number,
    meme.bytes, deletedAt)
}

/// Records the deletion of a meme that clients may still have.
private func tellDeleted(
  _ meme: MemeID, of author: Int64, at time: Int64, in db: borrowing Transaction
) throws {
  let isThere = try db.exists("SELECT 1 FROM users WHERE seq = ?", author)
  let isNobodys = try db.exists("SELECT 1 FROM memes WHERE id = ?", meme.bytes)
  guard isThere, !isNobodys else {
    try db.run("DELETE FROM changes WHERE meme = ?", meme.bytes)
    return
  }
  try db.run(
    """
    INSERT INTO deleted_memes (id, deleted_at, author, visibility) VALUES (?, ?, ?, 2)
    ON CONFLICT (id) DO NOTHING
    """, meme.bytes, time, author)
  try insertChange(meme, by: author, deletedAt: time, in: db)
}
