import Foundation
import SQL

/// The images that the server renders for a meme.
enum PictureKind: Int, Sendable, CaseIterable {
  case table = 1
  case grid, image
}

/// A cached image, and the version of the meme that it shows.
struct KeptPicture: Sendable {
  let data: Data
  let version: Int
}

/// An image that is not cached, or only for an earlier version.
struct MissingPicture: Sendable, Hashable {
  let meme: Meme.ID
  let version: Int
  let kind: PictureKind
}

// Images are a cache: a lost image is downloaded again.
extension LibraryStore {
  static func picture(
    _ kind: PictureKind, of meme: Meme.ID, in db: borrowing Access
  ) throws -> KeptPicture? {
    try db.first(
      "SELECT bytes, version FROM pictures WHERE meme = ? AND kind = ?", meme, kind.rawValue
    ) { row in
      KeptPicture(data: try row.nextData(), version: try row.next())
    }
  }

  func picture(_ kind: PictureKind, of meme: Meme.ID) throws(LibraryError) -> KeptPicture? {
    try read { db in try Self.picture(kind, of: meme, in: db) }
  }

  /// Returns the source picture of a creation that waits or is a draft.
  func original(of meme: Meme.ID) throws(LibraryError) -> Data? {
    try read { db in try Self.original(of: meme, in: db)?.bytes }
  }

  /// Returns the thumbnails to download, newest memes first.
  func missingThumbnails(
    limit: Int, but skipped: Set<MissingPicture>
  ) throws(LibraryError) -> [MissingPicture] {
    try read { db in
      let missing = try db.all(
        """
        SELECT id, memes.version, kinds.column1 FROM memes JOIN (VALUES (1), (2)) AS kinds
          LEFT JOIN pictures ON meme = id AND kind = kinds.column1
        WHERE pictures.version IS NOT memes.version
        ORDER BY created_at DESC, id DESC LIMIT ?
        """, limit + skipped.count
      ) { row in
        MissingPicture(
          meme: try row.nextID(), version: try row.next(),
          kind: PictureKind(rawValue: try row.next()) ?? .grid)
      }
      return Array(missing.filter { !skipped.contains($0) }.prefix(limit))
    }
  }

  /// Caches an image if its meme is still at that version. If the full-size images exceed `imageBytes`, the least
  /// recently viewed ones are removed.
  func keep(
    _ data: Data, as picture: MissingPicture, imageBytes: Int
  ) async throws(LibraryError) {
    let time = milliseconds
    try await write(bytes: data.count) { db in
      try db.run(
        """
        INSERT INTO pictures (meme, kind, version, seen_at, bytes)
        SELECT id, ?, version, ?, ? FROM memes WHERE id = ? AND version = ?
        ON CONFLICT (meme, kind) DO UPDATE SET version = excluded.version,
          seen_at = excluded.seen_at, bytes = excluded.bytes
        """, picture.kind.rawValue, time, data, picture.meme, picture.version)
      guard picture.kind == .image else { return }
      try db.run(
        """
        DELETE FROM pictures WHERE rowid IN (
          SELECT id FROM (
            SELECT rowid AS id, sum(length(bytes)) OVER (ORDER BY seen_at DESC, rowid DESC) AS kept
            FROM pictures WHERE kind = 3)
          WHERE kept > ?)
        """, imageBytes)
    }
  }

  /// Records the time when the user viewed an image, with a resolution of one hour.
  func touchImage(of meme: Meme.ID) async throws(LibraryError) {
    let time = milliseconds
    let isRecent = try read { db in
      try db.first(
        "SELECT 1 FROM pictures WHERE meme = ? AND kind = 3 AND seen_at > ?", meme,
        time - 3_600_000
      ) { _ in true } ?? false
    }
    guard !isRecent else { return }
    try await write { db in
      try db.run("UPDATE pictures SET seen_at = ? WHERE meme = ? AND kind = 3", time, meme)
    }
  }
}
