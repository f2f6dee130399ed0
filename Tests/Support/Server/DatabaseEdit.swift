package import Foundation
import SQL
import SQLite
import Storage
import mememe

/// Runs one statement on the database of a data folder that no server has open, for states that no call can make yet.
package func editDatabase(in folder: URL, _ sql: String) async throws {
  let data = try DataFolder(path: folder.path)
  let database = try MemeDatabase.open(
    in: data, migrations: Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) })
  try await database.writer.transaction { db in try db.run(sql) }
  await database.close()
  withExtendedLifetime(data) {}
}

/// Returns the rows of a query for texts, from the database of a stopped server.
package func texts(in folder: URL, columns: Int, _ sql: String) async throws -> [[String]] {
  let data = try DataFolder(path: folder.path)
  let database = try MemeDatabase.open(
    in: data, migrations: Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) })
  let rows = try await database.readers.read { db in
    try db.all(sql) { row in
      var texts: [String] = []
      for column in 0..<columns { texts.append(try row[column]) }
      return texts
    }
  }
  await database.close()
  return withExtendedLifetime(data) { rows }
}

/// Returns the result of a query for one number, from the database of a stopped server.
package func number(in folder: URL, _ sql: String) async throws -> Int? {
  let data = try DataFolder(path: folder.path)
  let database = try MemeDatabase.open(
    in: data, migrations: Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) })
  let number: Int? = try await database.readers.read { db in try db.value(sql) }
  await database.close()
  return withExtendedLifetime(data) { number }
}

/// Calls `body` with a new folder, and removes the folder at the end.
package func withDataFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "mememe-test-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder)
}
