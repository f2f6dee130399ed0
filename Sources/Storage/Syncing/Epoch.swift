package import Memes
package import SQL

/// The identity of the sequence of changes, in the table `epochs`.
package enum Epoch {
  /// Chooses another epoch for a database that was restored by other means than `mememe restore`.
  ///
  /// - Parameter now: new versions are above the seconds since 1970 until then, because versions after the restored
  ///   state are unknown.
  package static func renew(of database: any Database, at now: Timestamp) async throws {
    try await database.writer.transaction { db in
      try renew(in: db, versionsAbove: now.millisecondsSince1970 / 1000)
    }
  }

  static func current(in db: borrowing Transaction) throws -> [UInt8] {
    guard
      let epoch = try db.first(
        "SELECT epoch FROM epochs",
        decode: { row in
          try row.next() as [UInt8]
        })
    else { throw DatabaseError(.corrupt, "The table epochs is empty.") }
    return epoch
  }

  /// Chooses another epoch. Clients then get `cursor-expired` and start a full sync, because they may know positions
  /// and versions that this database has not assigned.
  ///
  /// - Parameter floor: new versions are above it, and above all versions in the database.
  static func renew(in db: borrowing Transaction, versionsAbove floor: Int64) throws {
    let epoch = withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Array($0) }
    try db.run(
      """
      UPDATE epochs SET epoch = ?, version_floor = max(max(version_floor, ?),
        (SELECT coalesce(max(version), 0) FROM memes),
        max((SELECT coalesce(max(version), 0) FROM comments), (SELECT coalesce(max(version), 0) FROM settings)))
      """, epoch, floor)
  }
}
