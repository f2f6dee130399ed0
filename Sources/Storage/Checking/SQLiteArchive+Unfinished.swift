import Bytes
package import Memes
import SQLite

extension SQLiteArchive {
  package func unfinishedUploads(
    after sequence: Int64, upTo end: Int64, limit: Int
  ) throws(MemeError) -> [ArchivedUnfinishedUpload] {
    let sequences = try readers.read { db throws(MemeError) in
      try db.all(
        "SELECT seq FROM unfinished_uploads WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        sequence, end, limit
      ) { row throws(SQLiteError) in try row[0] as Int64 }
    }
    var uploads: [ArchivedUnfinishedUpload] = []
    // Each in a read of its own: all of its bytes are read.
    for sequence in sequences {
      do throws(MemeError) {
        let found = try readers.read { db throws(MemeError) in
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

/// - Returns: `nil` where it became whole, or was removed, meanwhile.
private func archivedUnfinishedUpload(
  _ sequence: Int64, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> ArchivedUnfinishedUpload? {
  let received = try db.first(
    "SELECT received FROM unfinished_uploads WHERE seq = ?", sequence
  ) { row throws(SQLiteError) in try row[0] as Int }
  guard let received else { return nil }
  let pieces = try db.all(
    "SELECT seq, start FROM upload_pieces WHERE upload = ? ORDER BY start", sequence
  ) { row throws(SQLiteError) in (number: try row[0] as Int64, start: try row[1] as Int) }
  var found = 0
  for piece in pieces where piece.start == found {
    found += try db.blob(table: "upload_pieces", column: "bytes", row: piece.number).count
  }
  return ArchivedUnfinishedUpload(
    sequence: sequence, received: received, found: found, damage: nil)
}
