package import PostgreSQL
package import SQL

/// A PostgreSQL database as the target of a move.
package struct ServerTarget: MoveTarget {
  package let blobs: Blobs
  private let database: PostgreSQLDatabase
  private let keyCode: [UInt8]

  /// - Parameters:
  ///   - database: migrated, and kept from servers by a `MigrationLock`.
  ///   - blobs: where the bytes of its pictures are.
  ///   - keyCode: recognizes the secret key, with which all servers must be started.
  package init(_ database: PostgreSQLDatabase, _ blobs: Blobs, keyCode: [UInt8]) {
    (self.database, self.blobs, self.keyCode) = (database, blobs, keyCode)
  }

  package func begin(from source: [UInt8]) throws {
    try database.writer.blockingTransaction { db in
      if let known = try MoveMark.source(in: db) {
        guard known == source else { throw MoveFailure.anotherMove }
        return
      }
      let used = MovedTable.all.filter { !$0.isSingleRow }.map(\.name)
      for table in used + [MovedTable.blobs, "key_codes", "servers"]
      where try hasRows(table, in: db) {
        throw MoveFailure.notEmpty("table \(table) has rows")
      }
      try MoveMark.set(source, in: db)
    }
  }

  private func hasRows(_ table: String, in db: borrowing Transaction) throws -> Bool {
    try db.value("SELECT EXISTS (SELECT 1 FROM \(table))") ?? false
  }

  package func fill<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value {
    let filled = MovedTable.all.map(\.name) + MovedTable.rebuilt + [MovedTable.blobs]
    return try database.writer.blockingTransaction { db in
      // The connection is idle while the source works.
      try db.run("SET LOCAL idle_in_transaction_session_timeout = 0")
      // An earlier run may have ended after its rows were committed.
      try db.run(
        """
        INSERT INTO discarded_objects (object_key) SELECT object_key FROM blobs WHERE object_key IS NOT NULL
        ON CONFLICT DO NOTHING
        """)
      try db.run("TRUNCATE \((filled + ["discarded_blobs"]).joined(separator: ", "))")
      try switchTriggers("DISABLE", of: filled, in: db)
      // It computes a column that is not copied.
      try db.run("ALTER TABLE memes ENABLE TRIGGER popularity_of_new")
      let value = try body(db)
      try switchTriggers("ENABLE", of: filled, in: db)
      try db.run("ANALYZE \(filled.joined(separator: ", "))")
      return value
    }
  }

  /// Those that enforce references are not affected.
  private func switchTriggers(
    _ action: String, of tables: [String], in db: borrowing Transaction
  ) throws {
    // In the text of a statement, USER would be the name of a column.
    let statements = tables.map { "ALTER TABLE \($0) \(action) TRIGGER USER;" }
    try db.run("DO 'BEGIN \(statements.joined(separator: " ")) END'")
  }

  package func read<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value {
    try database.readers.blockingRead(body)
  }

  package func finish(_ body: (borrowing Transaction) throws -> Void) throws {
    try database.writer.blockingTransaction { db in
      guard try !hasRows("servers", in: db) else { throw MoveFailure.inUse }
      try body(db)
      try db.run(
        "INSERT INTO key_codes (id, code) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET code = excluded.code",
        keyCode)
      try db.run("DELETE FROM moves")
    }
  }
}
