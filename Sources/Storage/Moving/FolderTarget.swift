import Bytes
import Files
import Foundation
package import SQL
import SQLite

/// A data folder as the target of a move.
package struct FolderTarget: MoveTarget {
  package let blobs = Blobs()
  private let folder: DataFolder
  private let migrations: [Migration]
  private let secretKey: [UInt8]

  /// - Parameters:
  ///   - migrations: the files in `migrations/`, oldest first.
  ///   - secretKey: the content of the folder's `secret-key`.
  package init(_ folder: DataFolder, migrations: [Migration], secretKey: [UInt8]) {
    (self.folder, self.migrations, self.secretKey) = (folder, migrations, secretKey)
  }

  private var keyPath: String { folder.path(of: "secret-key") }

  package func begin(from source: [UInt8]) throws {
    try checkKey()
    guard !PendingRestore.isDecided(in: folder) else {
      throw MoveFailure.notEmpty("\(folder.path) has an unfinished restore")
    }
    try checkDatabase(source)
    for end in PendingRestore.beside + ["-gate", ""] { unlink(folder.database + end) }
    try SQLiteDatabase.migrate(
      fileAt: folder.database,
      migrator: Migrator(applicationID: MemeDatabase.movingID, migrations: migrations))
    try ClosedDatabase.edit(folder.database) { db in
      try db.run(
        "CREATE TABLE moves (id INTEGER PRIMARY KEY CHECK (id = 1), source BLOB NOT NULL) STRICT")
      try MoveMark.set(source, in: db)
    }
    try FileCopy.write(secretKey, to: keyPath)
  }

  private func checkKey() throws {
    guard FileCopy.exists(keyPath) else { return }
    guard let found = FileManager.default.contents(atPath: keyPath), Array(found) == secretKey
    else {
      throw MoveFailure.anotherKey(keyPath)
    }
  }

  /// Accepts an empty file and an unfinished move of the same source.
  private func checkDatabase(_ source: [UInt8]) throws {
    guard FileCopy.exists(folder.database) else { return }
    let application: Int?
    do throws(MigrationError) {
      application = try SQLiteDatabase.application(ofFileAt: folder.database)
    } catch { throw MoveFailure.notEmpty(folder.database) }
    guard let application else { return }
    guard application == Int(MemeDatabase.movingID) else {
      throw MoveFailure.notEmpty(folder.database)
    }
    let known = try ClosedDatabase.edit(folder.database) { db in
      // The table is made after the migrations. Until then there are no rows.
      let isMarked: Int? = try db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'moves'")
      return isMarked == 1 ? try MoveMark.source(in: db) : nil
    }
    guard known == nil || known == source else { throw MoveFailure.anotherMove }
  }

  package func fill<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value {
    try ClosedDatabase.fill(folder.database) { db in
      for table in MovedTable.all where table.isSingleRow {
        try db.run("DELETE FROM \(table.name)")
      }
      return try body(db)
    }
  }

  package func read<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value {
    let database = try ReadOnlyDatabase(
      path: folder.database, applicationID: MemeDatabase.movingID, readers: 1)
    defer { database.close() }
    return try database.readers.blockingRead(body)
  }

  package func finish(_ body: (borrowing Transaction) throws -> Void) throws {
    try ClosedDatabase.edit(folder.database) { db in
      try body(db)
      try db.run("DROP TABLE moves")
      try db.run("PRAGMA application_id = \(MemeDatabase.applicationID)")
    }
    try Files.sync(folder.path)
  }
}
