import Memes
import SQL

/// Checks the guarantees of PostgreSQL that an admin can suspend. A restore may disable triggers, which also enforce
/// references, and an interrupted build leaves an unused index. `pg_amcheck` checks the files of the database.
struct PostgreSQLStructure: StructureCheck {
  let readers: any Readers

  func findings() -> [Finding] {
    do { return try unused() + references().compactMap(broken) } catch {
      return [Finding(.damagedFile, "database", error.reason)]
    }
  }

  /// What exists in the schema without effect.
  private func unused() throws -> [Finding] {
    try readers.blockingRead { db in
      try db.all(
        """
        SELECT CAST(indrelid::regclass AS text), indexrelid::regclass || ' is not valid; run REINDEX'
        FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
        WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace
        UNION ALL SELECT CAST(tgrelid::regclass AS text),
          'trigger ' || tgname || ' is disabled; run ALTER TABLE ... ENABLE TRIGGER ALL'
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE tgenabled IN ('D', 'R') AND relnamespace = current_schema()::regnamespace
        ORDER BY 1, 2
        """
      ) { row in Finding(.damagedFile, "table=\(try row.next() as String)", try row.next()) }
    }
  }

  /// A foreign key of one column.
  private struct Reference {
    let (table, column): (String, String)
    let (parent, key): (String, String)
  }

  private func references() throws -> [Reference] {
    try readers.blockingRead { db in
      try db.all(
        """
        SELECT CAST(conrelid::regclass AS text), quote_ident(child.attname),
          CAST(confrelid::regclass AS text), quote_ident(parent.attname)
        FROM pg_constraint
        JOIN pg_attribute AS child ON child.attrelid = conrelid AND child.attnum = conkey[1]
        JOIN pg_attribute AS parent ON parent.attrelid = confrelid AND parent.attnum = confkey[1]
        WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2
        """
      ) { row in
        Reference(
          table: try row.next(), column: try row.next(), parent: try row.next(),
          key: try row.next())
      }
    }
  }

  private func broken(_ reference: Reference) throws -> Finding? {
    let (table, parent) = (reference.table, reference.parent)
    let count: Int? = try readers.blockingRead { db in
      try db.value(
        """
        SELECT count(*) FROM \(table) AS child WHERE \(reference.column) IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM \(parent) AS parent WHERE parent.\(reference.key) = child.\(reference.column))
        """)
    }
    guard let count, count > 0 else { return nil }
    return .brokenReference(of: table, to: parent, count: count)
  }
}
