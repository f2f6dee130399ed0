import SQL
import SQLite
import Testing

@testable import Storage

/// The tables that a move copies, against both schemas.
struct MovedTableTests {
  @Test func `a move knows every table of both engines`() async throws {
    try await withStore(on: [.sqlite, .postgreSQL]) { store in
      let (dialect, tables) = try await store.database.readers.read { db in
        let query =
          switch db.dialect {
          case .sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table'"
          case .postgreSQL:
            "SELECT CAST(tablename AS text) FROM pg_tables WHERE schemaname = current_schema()"
          }
        return (db.dialect, Set(try db.all(query) { row in try row.next() as String }))
      }
      let known = MovedTable.all.map(\.name) + MovedTable.rebuilt + [MovedTable.blobs]
      #expect(Set(known).count == known.count)
      #expect(tables == Set(known).union(MovedTable.own(dialect)))
    }
  }

  @Test func `keys and columns are those of the schemas, and references go to earlier tables`()
    async throws
  {
    try await withStore(on: [.sqlite, .postgreSQL]) { store in
      for (place, table) in MovedTable.all.enumerated() {
        let (columns, key, parents) = try await store.database.readers.read { db in
          (
            try TableColumn.all(of: table.name, in: db), try Self.key(of: table.name, in: db),
            try Self.parents(of: table.name, in: db)
          )
        }
        #expect(columns.count >= key.count && !columns.contains { $0.name == "popularity" })
        #expect(key == table.key, "\(table.name)")
        let before = MovedTable.all.prefix(place).map(\.name) + [MovedTable.blobs]
        #expect(parents.subtracting(before) == [], "\(table.name)")
      }
    }
  }

  private static func key(of table: String, in db: borrowing Transaction) throws -> [String] {
    let query =
      switch db.dialect {
      case .sqlite: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk"
      case .postgreSQL:
        """
        SELECT CAST(attname AS text) FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
        WHERE indrelid = to_regclass(?) AND indisprimary ORDER BY array_position(indkey, attnum)
        """
      }
    return try db.all(query, table) { row in try row.next() }
  }

  private static func parents(of table: String, in db: borrowing Transaction) throws -> Set<String>
  {
    let query =
      switch db.dialect {
      case .sqlite: "SELECT \"table\" FROM pragma_foreign_key_list(?)"
      case .postgreSQL:
        """
        SELECT CAST(confrelid::regclass AS text) FROM pg_constraint WHERE conrelid = to_regclass(?) AND contype = 'f'
        """
      }
    return Set(try db.all(query, table) { row in try row.next() as String })
  }
}
