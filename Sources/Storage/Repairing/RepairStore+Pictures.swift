import Bytes
package import Memes
import SQL

extension RepairStore {
  /// A meme's recipe, and the facts of its pictures that have a row.
  ///
  /// - Throws: ``MemeError/notFound`` if there is no such meme.
  package func drawing(of meme: Int64) async throws -> StoredDrawing {
    try await readers.read { db in
      let recipe = try db.first("SELECT \(recipeColumns) FROM memes WHERE seq = ?", meme) { row in
        try Recipe(&row)
      }
      guard let recipe else { throw MemeError.notFound }
      let pictures = try db.all(
        "SELECT role, format, width, height, byte_count, digest FROM pictures WHERE meme = ?", meme
      ) { row in
        (PictureRole(rawValue: try row.next()), try PictureFacts(&row))
      }
      return StoredDrawing(
        recipe: recipe,
        pictures: Dictionary(
          pictures.compactMap { role, facts in role.map { ($0, facts) } }
        ) { first, _ in first })
    }
  }

  /// Corrects the facts of a meme's picture, unless its digest is a different one.
  package func setFacts(
    _ facts: PictureFacts, of number: PictureNumber, of meme: Int64
  ) async throws {
    try await writer.transaction { db in
      try db.run(
        """
        UPDATE pictures SET format = ?, width = ?, height = ?, byte_count = ?
        WHERE meme = ? AND role = ? AND digest = ?
        """, facts.format.rawValue, facts.size.width, facts.size.height, facts.byteCount, meme,
        number.rawValue, facts.digest.bytes)
    }
  }

  /// Deletes a picture of a meme.
  package func remove(_ number: PictureNumber, of meme: Int64) async throws {
    try await writer.transaction { db in
      let blob: Int64? = try db.value(
        "DELETE FROM pictures WHERE meme = ? AND role = ? RETURNING blob", meme, number.rawValue)
      if let blob { try db.run("DELETE FROM blobs WHERE id = ?", blob) }
    }
  }

  /// Replaces pictures of a meme, and deletes all of its renditions. If one of the pictures differs from the earlier
  /// one, the meme gets a new version, because the address of a version must always return the same file.
  ///
  /// - Returns: the new version; `nil` if it did not change.
  package func replace(
    _ files: [PictureRole: PictureFile], of meme: Int64
  ) async throws -> Int? {
    let bytes = files.values.reduce(0) { $0 + $1.facts.byteCount }
    var new: [PreparedPicture] = []
    for (role, file) in files {
      new.append(
        PreparedPicture(PictureNumber(role), file.facts, .new(try await blobs.prepare(file.bytes))))
    }
    return try await writer.transaction(bytes: bytes) { [new] db in
      var isAnother = false
      for picture in new {
        let former = try db.first(
          "DELETE FROM pictures WHERE meme = ? AND role = ? RETURNING digest, blob", meme,
          picture.number.rawValue
        ) { row in (digest: try row.nextDigest(), blob: try row.next() as Int64) }
        if let former { try db.run("DELETE FROM blobs WHERE id = ?", former.blob) }
        isAnother = isAnother || former?.digest != picture.facts.digest
        let blob = try insertBlob(picture.file, at: .now(), in: db)
        try insertPictures([picture], [blob], of: meme, in: db)
      }
      try db.run("DELETE FROM derived_pictures WHERE meme = ?", meme)
      guard isAnother else { return nil }
      return try db.value(
        "UPDATE memes SET version = \(NextVersion.sql()) WHERE seq = ? RETURNING version", meme)
    }
  }

  package func removeDerived(
    width: Int, format: OutputFormat, of meme: Int64
  ) async throws {
    try await writer.transaction { db in
      try db.run(
        "DELETE FROM derived_pictures WHERE meme = ? AND width = ? AND format = ?", meme, width,
        format.rawValue)
    }
  }

  package func replaceThumbnail(
    of template: Int64, by file: PictureFile
  ) async throws {
    let new = try await blobs.prepare(file.bytes)
    try await writer.transaction(bytes: file.bytes.count) { db in
      let former: Int64? = try db.value(
        "SELECT thumbnail_blob FROM templates WHERE seq = ?", template)
      let (blob, facts) = (try new.insert(in: db), file.facts)
      try db.run(
        """
        UPDATE templates SET thumbnail_format = ?, thumbnail_width = ?, thumbnail_height = ?,
          thumbnail_byte_count = ?, thumbnail_digest = ?, thumbnail_blob = ?
        WHERE seq = ?
        """, facts.format.rawValue, facts.size.width, facts.size.height, facts.byteCount,
        facts.digest.bytes, blob, template)
      if let former { try db.run("DELETE FROM blobs WHERE id = ?", former) }
    }
  }

  package func replace(
    _ file: PictureFile, as size: AvatarSize, ofAvatar person: Int64
  ) async throws {
    let new = try await blobs.prepare(file.bytes)
    try await writer.transaction(bytes: file.bytes.count) { db in
      // A trigger also deletes its bytes.
      try db.run("DELETE FROM avatars WHERE user = ? AND edge = ?", person, size.rawValue)
      let (blob, facts) = (try new.insert(in: db), file.facts)
      try db.run(
        """
        INSERT INTO avatars (user, edge, format, width, height, byte_count, digest, blob)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """, person, size.rawValue, facts.format.rawValue, facts.size.width, facts.size.height,
        facts.byteCount, facts.digest.bytes, blob)
    }
  }
}
