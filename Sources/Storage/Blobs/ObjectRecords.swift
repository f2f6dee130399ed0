import Memes
package import Objects
package import SQL

/// What a PostgreSQL database knows about its object store, in the tables `object_stores`, `discarded_objects` and
/// `blobs`. Each call is one transaction.
package struct ObjectRecords: Sendable {
  /// The number of bytes of a mark.
  package static let markBytes = 32

  private let readers: any Readers
  private let writer: any Writer

  package init(_ database: any Database) { (readers, writer) = (database.readers, database.writer) }

  /// What the object `mark` of the bucket must have.
  package struct Mark: Sendable, Equatable {
    package let bytes: [UInt8]
    /// Whether it has been put. If not, this may be the first start.
    package let isPlaced: Bool
  }

  /// The mark; `nil` if the database has no object store.
  package func mark() async throws -> Mark? {
    try await readers.read { db in try Self.mark(in: db) }
  }

  /// Chooses a mark, unless there is one.
  ///
  /// - Parameter day: the current day.
  /// - Returns: the mark of the database.
  package func choose(_ bytes: [UInt8], on day: ObjectDay) async throws -> Mark {
    try await writer.transaction { db in
      try db.run(
        "INSERT INTO object_stores (id, mark, swept_day) VALUES (1, ?, ?) ON CONFLICT (id) DO NOTHING",
        bytes, day.number - 1)
      guard let mark = try Self.mark(in: db) else { throw MemeError.storageBusy }
      return mark
    }
  }

  /// Notes that the bucket has the mark.
  package func notePlaced() async throws {
    try await writer.transaction { db in try db.run("UPDATE object_stores SET is_marked = TRUE") }
  }

  private static func mark(in db: borrowing Transaction) throws -> Mark? {
    try db.first("SELECT mark, is_marked FROM object_stores") { row in
      Mark(bytes: try row.next(), isPlaced: try row.next())
    }
  }

  /// Keeps all servers from deleting objects until the end of the transaction, so that the objects of the rows that it
  /// sees stay.
  static func keepObjects(in db: borrowing Transaction) throws {
    _ = try db.first(
      "SELECT pg_advisory_xact_lock_shared(\(copying)) IS NOT NULL", decode: { _ in })
  }

  private static let copying = "hashtextextended('copies of all objects', 0)"

  /// Objects that no row has named for some time, the oldest first. None while ``keepObjects(in:)`` holds.
  ///
  /// An object that a row names after all is none of them: a server whose clock was wrong may have swept it too early.
  package func discarded(forSeconds grace: Int, limit: Int) async throws -> [ObjectKey] {
    try await readers.read { db in
      let isFree: Bool? = try db.value("SELECT pg_try_advisory_xact_lock(\(Self.copying))")
      guard isFree == true else { return [] }
      return try db.all(
        """
        SELECT object_key FROM discarded_objects
        WHERE discarded_at <= \(Self.now) - ?
          AND NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.object_key = discarded_objects.object_key)
        ORDER BY discarded_at LIMIT ?
        """, grace * 1000, limit
      ) { row in try ObjectKey(stored: try row.next()) }
    }
  }

  private static let now = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"

  /// The day by the clock of the database, which all servers share.
  package func today() async throws -> ObjectDay {
    try await readers.read { db in
      let now: Int64 = try db.value("SELECT \(Self.now)") ?? 0
      return ObjectDay(Timestamp(millisecondsSince1970: now))
    }
  }

  /// Lets discarded objects wait for another grace.
  package func postpone(_ keys: [ObjectKey]) async throws {
    try await writer.transaction { db in
      for key in keys {
        try db.post(
          "UPDATE discarded_objects SET discarded_at = \(Self.now) WHERE object_key = ?", key.text)
      }
    }
  }

  /// Forgets discarded objects after their deletion.
  package func forget(_ keys: [ObjectKey]) async throws {
    try await writer.transaction { db in
      for key in keys {
        try db.post("DELETE FROM discarded_objects WHERE object_key = ?", key.text)
      }
    }
  }

  /// The last day that was swept; `nil` if the database has no object store.
  package func sweptDay() async throws -> ObjectDay? {
    try await readers.read { db in
      try db.first("SELECT swept_day FROM object_stores") { row in
        ObjectDay(number: try row.next())
      }
    }
  }

  /// Discards those of these objects that no row names.
  ///
  /// - Returns: their number.
  package func discardOrphans(of keys: [ObjectKey]) async throws -> Int {
    let array = "[\(keys.map { "\"\($0.text)\"" }.joined(separator: ","))]"
    return try await writer.transaction { db in
      try db.run(
        """
        INSERT INTO discarded_objects (object_key)
        SELECT value FROM jsonb_array_elements_text(CAST(? AS jsonb)) AS found
        WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.object_key = found.value)
        ON CONFLICT DO NOTHING
        """, array)
    }
  }

  /// Notes that all objects of a day, and of the days before it, belong to a row or are discarded.
  package func noteSwept(_ day: ObjectDay) async throws {
    try await writer.transaction { db in
      try db.run("UPDATE object_stores SET swept_day = ?1 WHERE swept_day < ?1", day.number)
    }
  }
}
