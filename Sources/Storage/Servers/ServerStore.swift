import Foundation
package import Memes
import PostgreSQL
package import SQL

/// The servers that share a PostgreSQL database, in the table `servers`, and the upkeep that only such a database
/// needs.
package struct ServerStore: Sendable {
  /// How long a change stays in the table `happened`, in milliseconds.
  package static let keptMilliseconds: Int64 = 600_000
  /// How long after its last sign of life a server counts as running, in milliseconds.
  private static let livingMilliseconds: Int64 = 30_000
  /// How long a server that ended without a word stays in the table, in milliseconds.
  private static let rememberedMilliseconds: Int64 = 86_400_000

  private let readers: any Readers
  private let writer: any Writer

  package init(_ database: any Database) { (readers, writer) = (database.readers, database.writer) }

  /// The time by the clock of the database.
  package func time() async throws -> Timestamp {
    let time: Int64? = try await readers.read { db in try db.value("SELECT \(Self.now)") }
    return Timestamp(millisecondsSince1970: time ?? 0)
  }

  /// The size of the database in bytes.
  package func bytes() async throws -> Int {
    try await readers.read { db in
      try db.value("SELECT pg_database_size(current_database())") ?? 0
    }
  }

  /// Compares the code with that of the first server, or stores it if this is the first. Two servers with different
  /// secret keys would reject each other's tokens.
  package func confirm(keyCode code: [UInt8]) async throws -> Bool {
    try await writer.transaction { db in
      try db.run(
        "INSERT INTO key_codes (id, code) VALUES (1, ?) ON CONFLICT (id) DO NOTHING", code)
      let stored: [UInt8]? = try db.value("SELECT code FROM key_codes WHERE id = 1")
      return stored == code
    }
  }

  /// The code of the servers' secret key; `nil` if no server has been started yet.
  package func keyCode() async throws -> [UInt8]? {
    try await readers.read { db in
      try db.value("SELECT code FROM key_codes WHERE id = 1")
    }
  }

  /// Finds out whether a newer program has migrated the database in a way that excludes this one.
  ///
  /// - Returns: ``UnusableServer/newer(found:known:)`` if one has, and otherwise `nil`.
  package func exclusion(of server: RunningServer) async throws -> (any Error)? {
    let versions = try await readers.read { db in
      try db.first("SELECT max(version), max(compatible_from) FROM migrations") { row in
        (newest: try row.next() as Int, required: try row.next() as Int)
      }
    }
    guard let versions, versions.required > server.newestMigration else { return nil }
    return UnusableServer.newer(found: versions.newest, known: server.newestMigration)
  }

  /// Notes that the server runs.
  ///
  /// - Returns: the number of running servers, including this one.
  package func note(_ server: RunningServer) async throws -> Int {
    try await writer.transaction { db in
      try db.run(
        """
        INSERT INTO servers (id, name, started, seen, version) VALUES (?1, ?2, \(Self.now), \(Self.now), ?3)
        ON CONFLICT (id) DO UPDATE SET seen = excluded.seen
        """, server.idBytes, server.name, server.version)
      try db.run("DELETE FROM servers WHERE seen < \(Self.now) - ?", Self.rememberedMilliseconds)
      return try db.value(
        "SELECT count(*) FROM servers WHERE \(Self.isLiving)", Self.livingMilliseconds) ?? 1
    }
  }

  /// The names of the running servers.
  package func running() async throws -> [String] {
    try await readers.read { db in
      try db.column(
        "SELECT name FROM servers WHERE \(Self.isLiving) ORDER BY name, id",
        Self.livingMilliseconds)
    }
  }

  /// Removes a server that stops.
  package func remove(_ server: RunningServer) async throws {
    try await writer.transaction { db in
      try db.run("DELETE FROM servers WHERE id = ?", server.idBytes)
    }
  }

  /// Adds the differences that transactions have noted to the totals. Does nothing if another server is doing it.
  package func foldTotals() async throws {
    try await writer.transaction { db in
      _ = try db.first(
        "SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended('totals', 0)) THEN fold_totals() END"
      ) { row in try row.next() as Int64? }
    }
  }

  /// Deletes changes that every running server has read.
  package func forgetChanges() async throws {
    try await writer.transaction { db in
      try db.run("DELETE FROM happened WHERE at < \(Self.now) - ?", Self.keptMilliseconds)
    }
  }

  /// Deletes rate limit buckets that are full, and so say nothing.
  package func forgetFullBuckets() async throws {
    try await writer.transaction { db in
      try db.run("DELETE FROM buckets WHERE full_at < \(Self.now) * 1000")
    }
  }

  /// A sign of life from the future is from before the clock of the database was set back. A server that runs gives
  /// another one every few seconds.
  private static let isLiving = "abs(seen - \(now)) <= ?"

  /// Milliseconds since 1970 by the clock of the database.
  private static let now = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
}

/// A running server, as the others see it.
package struct RunningServer: Sendable {
  /// New at each start.
  let id = UUID()
  package let name: String
  /// The version of the program.
  package let version: String
  /// The number of the newest migration that the program knows.
  package let newestMigration: Int

  var idBytes: [UInt8] { withUnsafeBytes(of: id.uuid) { Array($0) } }

  package init(name: String, version: String, newestMigration: Int) {
    (self.name, self.version, self.newestMigration) = (name, version, newestMigration)
  }
}
