import SQL
import SQLite
import Storage

/// Opens the database of a folder with only the given migrations, as an earlier version did.
func withDatabase(
  at path: String, _ migrations: [Migration], _ body: (SQLiteDatabase) async throws -> Void
) async throws {
  let folder = try DataFolder(path: path)
  let database = try MemeDatabase.open(in: folder, migrations: migrations)
  try await body(database)
  await database.close()
  withExtendedLifetime(folder) {}
}

extension SQLiteDatabase {
  /// Writes a meme as the first version did, with files of 1000, 500, 50 and 10 bytes.
  func insertFirstMeme() async throws {
    try await writer.transaction { db in
      let meme = try db.insert(
        """
        INSERT INTO memes (
          id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, fit, draft_digest
        ) VALUES (randomblob(16), 1, 5, 5, 'top', '', 'alt', 255, 0, 0.11, 0.14, '[]', zeroblob(32))
        RETURNING seq
        """)
      for (role, count) in [1000, 500, 50, 10].enumerated() {
        let blob = try db.insert(
          "INSERT INTO blobs (bytes) VALUES (zeroblob(?)) RETURNING id", count)
        try db.run(
          """
          INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
          VALUES (?, ?, 'jpeg', 1, 1, ?, zeroblob(32), ?)
          """, meme, role, count, blob)
      }
    }
  }
}
