package import SQL

/// The totals of the database: numbers of items, and their sizes.
package struct StoredTotals: Sendable, Equatable {
  /// The number of memes that are not in the trash.
  package let visible: Int
  /// The number of memes in the trash.
  package let deleted: Int
  /// The size of all pictures of all memes.
  package let pictureBytes: Int
  /// The number and size of the renditions, which ``pictureBytes`` does not include.
  package let derived: Int
  package let derivedBytes: Int
  /// The number and size of the uploads, including expired ones.
  package let uploads: Int
  package let uploadBytes: Int
  /// The number of unfinished uploads, and the number of bytes received for them.
  package let unfinishedUploads: Int
  package let unfinishedUploadBytes: Int
  package let templates: Int
  /// The size of the pictures and thumbnails of templates.
  package let templateBytes: Int
  /// The size of memes, templates and uploads without an account.
  package let anonymousBytes: Int

  /// The size of memes, templates and uploads of accounts.
  package var accountBytes: Int {
    pictureBytes + templateBytes + uploadBytes + unfinishedUploadBytes - anonymousBytes
  }

  /// Reads what triggers maintain.
  package init(in database: any Database) async throws {
    let found = try await database.readers.read { db in
      try db.first(
        """
        SELECT visible, deleted, picture_bytes, derived, derived_bytes, uploads, upload_bytes, templates, template_bytes,
          unfinished_uploads, unfinished_upload_bytes, anonymous_bytes
        FROM \(db.dialect.totals) WHERE id = 1
        """
      ) { row in try StoredTotals(&row) }
    }
    guard let found else {
      throw DatabaseError(.corrupt, "The totals row is missing from the database.")
    }
    self = found
  }

  private init(_ row: inout Row) throws {
    (visible, deleted, pictureBytes) = (try row.next(), try row.next(), try row.next())
    (derived, derivedBytes) = (try row.next(), try row.next())
    (uploads, uploadBytes) = (try row.next(), try row.next())
    (templates, templateBytes) = (try row.next(), try row.next())
    (unfinishedUploads, unfinishedUploadBytes) = (try row.next(), try row.next())
    anonymousBytes = try row.next()
  }
}
