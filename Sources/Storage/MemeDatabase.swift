package import SQLite

/// The database of a MemeMe server.
package enum MemeDatabase {
  /// Marks a file as ours: "MeMe" in ASCII.
  package static let applicationID: Int32 = 0x4D65_4D65

  /// Opens the database in the folder, makes it where there is none, and migrates it.
  ///
  /// - Parameters:
  ///   - migrations: all of them, oldest first: the files of `migrations/`.
  ///   - report: told of every checkpoint that fails.
  package static func open(
    in folder: DataFolder, migrations: [Migration],
    report: @escaping @Sendable (SQLiteError) -> Void = { _ in }
  ) throws(MigrationError) -> Database {
    try Database(
      path: folder.database,
      migrator: Migrator(applicationID: applicationID, migrations: migrations), report: report)
  }
}
