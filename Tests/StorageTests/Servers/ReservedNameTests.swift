import SQL
import Testing

@testable import Storage

struct ReservedNameTests {
  /// PostgreSQL quotes names by its own list of keywords. A dump that PostgreSQL 15 makes would be a syntax error in a
  /// later version that does not accept one of these as the name of a function or parameter.
  @Test func `no function or parameter has a name that a later PostgreSQL reserves`() async throws {
    let reserved = """
      'json', 'json_array', 'json_arrayagg', 'json_exists', 'json_object', 'json_objectagg', 'json_query', 'json_scalar',
      'json_serialize', 'json_table', 'json_value', 'merge_action', 'system_user'
      """
    try await withStore(on: [.postgreSQL]) { store in
      let found: [String] = try await store.database.readers.read { db in
        try db.column(
          """
          SELECT CAST(proname AS text) FROM pg_proc, unnest(array_append(proargnames, CAST(proname AS text))) AS name
          WHERE pronamespace = to_regnamespace(current_schema()) AND name IN (\(reserved))
          """)
      }
      #expect(found == [])
    }
  }
}
