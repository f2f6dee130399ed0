package import Foundation
import SQL
import SQLite
import Storage
import mememe

/// An empty database with all migrations, made once for all tests of this process. Running the migrations takes longer
/// than most tests.
package enum MigratedFolder {
  private static let database = Task {
    var bytes = Data()
    try await withDataFolder { folder in
      let data = try DataFolder(path: folder.path)
      let database = try MemeDatabase.open(
        in: data, migrations: Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) },
        synchronous: .off)
      await database.close()
      bytes = try Data(contentsOf: URL(filePath: data.database))
    }
    return bytes
  }

  /// Puts a copy into an empty data folder. All copies have the same sync epoch.
  package static func place(in folder: URL) async throws {
    let path = DataFolder.database(in: folder.path)
    let bytes = try await database.value
    guard
      FileManager.default.createFile(
        atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
  }
}
