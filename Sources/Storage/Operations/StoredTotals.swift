package import SQLite

/// How much the database holds.
package struct StoredTotals: Sendable, Equatable {
  /// Memes that people see.
  package let visible: Int
  /// Memes in the trash.
  package let deleted: Int
  /// Of all pictures of all memes.
  package let pictureBytes: Int
  /// Pictures that were made of memes' images and kept, and their bytes, which are not in ``pictureBytes``.
  package let derived: Int
  package let derivedBytes: Int
  /// Uploads that are kept, be they expired.
  package let uploads: Int
  package let uploadBytes: Int
  /// Uploads that were begun and are not whole, and the bytes that there are of them.
  package let unfinishedUploads: Int
  package let unfinishedUploadBytes: Int
  package let templates: Int
  /// Of their pictures and thumbnails.
  package let templateBytes: Int
  /// Of memes, templates and uploads without an account.
  package let anonymousBytes: Int

  /// Of memes, templates and uploads of accounts.
  package var accountBytes: Int {
    pictureBytes + templateBytes + uploadBytes + unfinishedUploadBytes - anonymousBytes
  }

  /// Reads one row that triggers keep up to date, on the caller's thread.
  package init(in database: Database) throws(SQLiteError) {
    let found = try database.readers.read { db throws(SQLiteError) in
      try db.first(
        """
        SELECT visible, deleted, picture_bytes, derived, derived_bytes, uploads, upload_bytes, templates, template_bytes,
          unfinished_uploads, unfinished_upload_bytes, anonymous_bytes
        FROM totals WHERE id = 1
        """
      ) { row throws(SQLiteError) in try StoredTotals(row) }
    }
    guard let found else { throw SQLiteError(.corrupt, "The row of totals is missing.") }
    self = found
  }

  private init(_ row: borrowing Row) throws(SQLiteError) {
    (visible, deleted, pictureBytes) = (try row[0], try row[1], try row[2])
    (derived, derivedBytes) = (try row[3], try row[4])
    (uploads, uploadBytes) = (try row[5], try row[6])
    (templates, templateBytes) = (try row[7], try row[8])
    (unfinishedUploads, unfinishedUploadBytes) = (try row[9], try row[10])
    anonymousBytes = try row[11]
  }
}
