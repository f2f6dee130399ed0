import Bytes
import Memes
import SQL

extension MemeArchive {
  /// The next unfinished uploads, ordered by sequence number. Their pieces are read as well.
  ///
  /// An upload that cannot be read is included, with its ``ArchivedUnfinishedUpload/damage``.
  package func unfinishedUploads(
    after sequence: Int64, upTo end: Int64, limit: Int
  ) throws -> [ArchivedUnfinishedUpload] {
    let sequences: [Int64] = try readers.blockingRead { db in
      try db.column(
        "SELECT seq FROM unfinished_uploads WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        sequence, end, limit)
    }
    var uploads: [ArchivedUnfinishedUpload] = []
    // One read transaction for each upload, because this reads all of its bytes.
    for sequence in sequences {
      do {
        let found = try readers.blockingRead { db in
          try archivedUnfinishedUpload(sequence, in: db)
        }
        if let found { uploads.append(found) }
      } catch {
        uploads.append(
          ArchivedUnfinishedUpload(
            sequence: sequence, received: 0, found: 0, damage: error.reason))
      }
    }
    return uploads
  }
}

/// - Returns: `nil` if the upload was completed or removed in the meantime.
private func archivedUnfinishedUpload(
  _ sequence: Int64, in db: borrowing Transaction
) throws -> ArchivedUnfinishedUpload? {
  let received: Int? = try db.value(
    "SELECT received FROM unfinished_uploads WHERE seq = ?", sequence)
  guard let received else { return nil }
  let pieces = try db.all(
    "SELECT seq, start FROM upload_pieces WHERE upload = ? ORDER BY start", sequence
  ) { row in (number: try row[0] as Int64, start: try row[1] as Int) }
  var found = 0
  for piece in pieces where piece.start == found {
    found += try db.blob(table: "upload_pieces", column: "bytes", row: piece.number).count
  }
  return ArchivedUnfinishedUpload(
    sequence: sequence, received: received, found: found, damage: nil)
}
