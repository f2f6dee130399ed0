import Foundation
import SQL
import SQLite
import Testing

/// docs/data-model.md against the schema.
struct DataModelTests {
  @Test func `docs/data-model.md describes every table and column, and no others`() async throws {
    let page = URL(filePath: #filePath).appending(path: "../../../docs/data-model.md")
      .standardizedFileURL
    let described = Self.described(by: try String(contentsOf: page, encoding: .utf8))
    try await withStore(on: [.sqlite]) { store in
      // Without SQLite's own tables, the tables inside the full-text index, and its hidden columns.
      let existing: [String] = try await store.database.readers.read { db in
        try db.column(
          """
          SELECT object.name || '.' || field.name
          FROM sqlite_schema AS object JOIN pragma_table_xinfo(object.name) AS field
          WHERE object.type IN ('table', 'view') AND field.hidden <> 1
            AND object.name NOT GLOB 'sqlite_*' AND object.name NOT GLOB 'meme_words_*'
          """)
      }
      #expect(existing.count > 200)
      #expect(Set(existing).subtracting(described) == [], "not described")
      #expect(described.subtracting(existing) == [], "not in the schema")
    }
  }

  /// The columns that a page describes, such as `memes.seq`. A heading names the table, and a row names the column.
  private static func described(by page: String) -> Set<String> {
    var table = Substring()
    var columns: Set<String> = []
    for line in page.split(separator: "\n") {
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      guard parts.count > 2 else { continue }
      if parts[0] == "### " { table = parts[1] }
      if parts[0] == "| " { columns.insert("\(table).\(parts[1])") }
    }
    return columns
  }
}
