package import SQL

/// Why a database on a server cannot be used.
package enum UnusableServer: Error, Equatable {
  /// The connection, or a question about the database, failed.
  case unreachable(String)
  /// The database sorts texts by another rule than bytes, so lists would have another order than with SQLite.
  case collation(String)
  /// The database holds tables of another application.
  case foreign
  /// A newer program has migrated the database, and this one cannot run beside it.
  case newer(found: Int, known: Int)
  /// No server of this version has been started with the database yet.
  case older(found: Int, known: Int)
  /// The database was migrated with a different text of this migration.
  case changed(name: String)
  /// A migration failed, and was rolled back.
  case failed(name: String, String)
  /// Another process was migrating, repairing or filling the database for a minute.
  case locked
  /// `mememe move` did not finish.
  case unfinishedMove
  /// The database holds an installation, but should be empty.
  case used
}

extension UnusableServer: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let cause): "cannot use the PostgreSQL database: \(cause)"
    case .collation(let name):
      """
      the database has the collation \(name), but MemeMe needs C. Make it with: \
      CREATE DATABASE mememe TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'
      """
    case .foreign: "the database holds tables of another application"
    case .newer(let found, let known):
      "the database has version \(found), which is newer than this program's \(known)"
    case .older(let found, let known):
      "the database has version \(found), but this program needs \(known); run mememe migrate"
    case .changed(let name): "migration \(name) was applied with another text"
    case .failed(let name, let cause): "migration \(name) failed: \(cause)"
    case .locked:
      "another process has been migrating, repairing or filling the database for a minute"
    case .unfinishedMove:
      """
      the database holds an unfinished move. Run the same mememe move again, or create another database (and empty \
      the bucket, if the move had one)
      """
    case .used: "the target is not empty: the database holds an installation. Choose an empty one"
    }
  }
}

/// Migrates a database on a server to the newest schema. One transaction per migration.
///
/// The version of a migration is the number at the beginning of its name, the same as that of SQLite's migration with
/// the same effect.
package struct ServerMigrator: Sendable {
  private let migrations: [(version: Int, migration: Migration)]

  /// - Parameter migrations: all migrations, in order.
  package init(_ migrations: [Migration]) {
    self.migrations = migrations.map { (Int($0.name.prefix(4)) ?? 0, $0) }
  }

  func migrate(_ address: ServerAddress) throws(UnusableServer) {
    let lock = try MigrationLock(address)
    try migrate(lock)
    try lock.end()
  }

  /// - Parameter table: has rows if the database holds an installation, which is then refused and not changed. `nil`
  ///   accepts any database.
  func migrate(
    _ lock: MigrationLock, refusingRowsOf table: String? = nil
  ) throws(UnusableServer) {
    let connection = lock.connection
    if let table, try hasTable(table, connection),
      try number("SELECT count(*) FROM \(table)", connection) > 0
    {
      throw .used
    }
    try verify(connection)
    var applied = try applied(connection)
    for (version, migration) in migrations where applied.removeValue(forKey: version) == nil {
      do throws(ServerFailure) { try apply(version, migration, connection) } catch {
        throw .failed(name: migration.name, error.message)
      }
    }
  }

  /// Checks that the database is migrated, and changes nothing.
  func check(_ address: ServerAddress) throws(UnusableServer) {
    let connection = try reach { () throws(ServerFailure) in try address.connect() }
    let applied = try hasTable("migrations", connection) ? try applied(connection) : [:]
    if let missing = migrations.first(where: { applied[$0.version] == nil }) {
      throw .older(found: missing.version - 1, known: migrations.last?.version ?? 0)
    }
  }

  private func verify(_ connection: Connection) throws(UnusableServer) {
    let collation = try reach { () throws(ServerFailure) in
      try connection.script(
        "SELECT datcollate FROM pg_database WHERE datname = current_database()") ?? ""
    }
    guard ["C", "POSIX"].contains(collation) else { throw .collation(collation) }
    let tables = try reach { () throws(ServerFailure) in
      try connection.script(
        """
        SELECT count(*) FILTER (WHERE tablename = 'migrations') * 100000 + count(*)
        FROM pg_tables WHERE schemaname = current_schema()
        """) ?? ""
    }
    guard tables == "0" || tables.count > 5 else { throw .foreign }
    try reach { () throws(ServerFailure) in
      try connection.script(
        """
        CREATE TABLE IF NOT EXISTS migrations (
          version bigint PRIMARY KEY, name text NOT NULL, sql text NOT NULL,
          compatible_from bigint NOT NULL
        )
        """)
    }
  }

  /// The versions that the database has, all with the known text.
  private func applied(_ connection: Connection) throws(UnusableServer) -> [Int: Bool] {
    let newest = try number("SELECT coalesce(max(version), 0) FROM migrations", connection)
    let known = migrations.last?.version ?? 0
    if newest > known {
      let oldest = try number("SELECT max(compatible_from) FROM migrations", connection)
      guard oldest <= known else { throw .newer(found: newest, known: known) }
    }
    var found: [Int: Bool] = [:]
    for (version, migration) in migrations {
      let sql = Self.quote(migration.sql)
      let earlier = ([""] + migration.earlierTexts).map(Self.quote).joined(separator: ", ")
      let isSame = try reach { () throws(ServerFailure) in
        try connection.script(
          """
          SELECT sql = \(sql) OR encode(sha256(convert_to(sql, 'UTF8')), 'hex') IN (\(earlier))
          FROM migrations WHERE version = \(version)
          """)
      }
      if isSame == "f" { throw .changed(name: migration.name) }
      if isSame == "t" { found[version] = true }
    }
    return found
  }

  private func hasTable(
    _ name: String, _ connection: Connection
  ) throws(UnusableServer) -> Bool {
    let count = try number(
      "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = '\(name)'",
      connection)
    return count == 1
  }

  private func number(_ sql: String, _ connection: Connection) throws(UnusableServer) -> Int {
    let text = try reach { () throws(ServerFailure) in try connection.script(sql) }
    return text.flatMap { Int($0) } ?? 0
  }

  /// A migration has many statements, each with a timeout of its own.
  private static let longest = Duration.seconds(3600)
  /// How long a migration tries to get locks that running servers hold.
  private static let patience = Duration.seconds(60)

  /// Applies a migration while servers run. While it waits for the lock of a table, every later request for that
  /// table waits too. So it gives up after the lock timeout of all connections, lets the servers work, and tries again.
  private func apply(
    _ version: Int, _ migration: Migration, _ connection: Connection
  ) throws(ServerFailure) {
    let end = ContinuousClock.now + Self.patience
    while true {
      do throws(ServerFailure) { return try applyOnce(version, migration, connection) } catch {
        // A lock that was not free in time, or a deadlock.
        guard ["55P03", "40P01"].contains(error.state), .now < end else { throw error }
      }
      pause(.milliseconds(500))
    }
  }

  private func applyOnce(
    _ version: Int, _ migration: Migration, _ connection: Connection
  ) throws(ServerFailure) {
    do throws(ServerFailure) {
      try connection.script(
        """
        BEGIN;
        \(migration.sql);
        INSERT INTO migrations (version, name, sql, compatible_from)
        VALUES (\(version), \(Self.quote(migration.name)), \(Self.quote(migration.sql)),
          \(migration.compatibleFrom ?? version));
        COMMIT
        """, within: Self.longest)
    } catch {
      // The connection is not used again if this fails.
      do throws(ServerFailure) { try connection.script("ROLLBACK") } catch {}
      throw error
    }
  }

  /// A text as a literal. The texts are this program's own.
  private static func quote(_ text: String) -> String {
    "$mememe$\(text)$mememe$"
  }
}

extension Migration {
  private static let compatibility = "-- compatible from "
  private static let correction = "-- corrects "

  /// The newest migration that a program must know to run with a database that has this one: the number in the line
  /// `-- compatible from 45` of its text. `nil` without the line: a program must then know this migration.
  fileprivate var compatibleFrom: Int? {
    notes(Self.compatibility).first.flatMap { Int($0) }
  }

  /// The SHA-256 of each earlier text with the same effect, which some versions of PostgreSQL reject: in lines
  /// `-- corrects d0df15…` of the text. A database that was migrated with an earlier text stays usable.
  fileprivate var earlierTexts: [String] { notes(Self.correction) }

  /// The rests of the lines that begin so.
  private func notes(_ beginning: String) -> [String] {
    sql.split(separator: "\n").filter { $0.hasPrefix(beginning) }
      .map { String($0.dropFirst(beginning.count)) }
  }
}

/// Runs `body`, which says why a database cannot be used.
@discardableResult
func reach<Value>(
  _ body: () throws(ServerFailure) -> Value
) throws(UnusableServer) -> Value {
  do throws(ServerFailure) { return try body() } catch { throw .unreachable(error.message) }
}
