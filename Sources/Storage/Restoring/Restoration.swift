import Files
import Foundation
package import Memes
package import SQL
import SQLite

/// Replaces the database of a folder with a copy: a backup, a restore point, or a plain copy.
///
/// If the process ends at any time, the folder has either the old or the new database, complete. No other process may
/// use the folder.
package struct Restoration: Sendable {
  /// The result of a restore.
  package struct Outcome: Sendable {
    package let copy: CheckSummary
    /// The time at which a backup began; `nil` for other copies.
    package let takenAt: Timestamp?
    /// The path of the restore point with the previous database; `nil` if there was none.
    package let point: String?
  }

  /// An event during a restore.
  package enum Event: Sendable {
    case copying(done: Int64, all: Int64)
    case checking(done: Int64, all: Int64)
    case found(Finding)
  }

  private let folder: DataFolder
  private let migrations: [Migration]
  private let digest: Digester
  private let now: @Sendable () -> Timestamp
  private let tell: @Sendable (Event) -> Void

  /// - Parameter tell: called on any thread.
  package init(
    into folder: DataFolder, migrations: [Migration], digest: @escaping Digester,
    now: @escaping @Sendable () -> Timestamp = { .now() }, tell: @escaping @Sendable (Event) -> Void
  ) {
    (self.folder, self.migrations, self.digest) = (folder, migrations, digest)
    (self.now, self.tell) = (now, tell)
  }

  /// Restores the folder from a file, which is not changed.
  ///
  /// - Parameter isDamagedWelcome: whether to accept a file that fails the verification, if it can be opened.
  /// - Throws: ``NotRestored``. Then the folder is unchanged, or the next start finishes the restore.
  package func restore(
    from file: String, evenIfDamaged isDamagedWelcome: Bool
  ) async throws -> Outcome {
    do throws(FileError) { try PendingRestore.finish(in: folder) } catch {
      throw NotRestored.file(error)
    }
    do {
      let takenAt = try prepare(file)
      let summary = try await verify(file, isDamagedWelcome)
      return Outcome(copy: summary, takenAt: takenAt, point: try exchange(for: file))
    } catch {
      // A decided restore is never undone.
      if !PendingRestore.isDecided(in: folder) { PendingRestore.removeUndecided(in: folder) }
      throw error
    }
  }

  private var copy: String { folder.database + PendingRestore.new }

  /// Prepares the new database and keys under temporary names.
  private func prepare(_ file: String) throws(NotRestored) -> Timestamp? {
    try writing { () throws(FileError) in
      try FileCopy.copy(file, to: copy) { tell(.copying(done: $0, all: $1)) }
      // The log of a database that was not closed. No process writes to it now.
      for end in ["-wal", "-journal"] where FileCopy.exists(file + end) {
        try FileCopy.copy(file + end, to: copy + end) { _, _ in }
      }
    }
    let stamp = try reading(file) { () throws(MigrationError) in
      let migrator = MemeDatabase.migrator(migrations)
      let version = try SQLiteDatabase.version(ofFileAt: copy, migrator: migrator)
      guard version > 0 else { throw .outdated(found: 0, known: migrations.count) }
      let stamp = try stampOfCopy()
      try SQLiteDatabase.migrate(fileAt: copy, migrator: migrator)
      return stamp
    }
    let (seconds, replaced) = (now().millisecondsSince1970 / 1000, highestVersion)
    do {
      try ClosedDatabase.edit(copy) { db in
        try BackupStamp.remove(in: db)
        // Clients know positions in a sequence that continues differently from here, and versions that the copy has not
        // assigned yet.
        try Epoch.renew(in: db, versionsAbove: max(seconds, replaced))
      }
    } catch { throw .unusable(file, .unusable(DatabaseError(error))) }
    try writing { () throws(FileError) in
      try Files.sync(copy)
      try prepareKeys(stamp?.keys, besides: file)
    }
    return stamp?.takenAt
  }

  /// The highest version in the replaced database, because the clock may be behind it. 0 if there is no database, or if
  /// it cannot be read; then the clock must suffice.
  private var highestVersion: Int64 {
    guard FileCopy.exists(folder.database),
      let database = try? ReadOnlyDatabase(
        path: folder.database, applicationID: MemeDatabase.applicationID, readers: 1)
    else { return 0 }
    defer { database.close() }
    // Separate queries, because an earlier schema has no floor.
    let highest = [
      "SELECT max(version) FROM memes", "SELECT max(version) FROM comments",
      "SELECT max(version) FROM settings", "SELECT version_floor FROM epochs",
    ].map { query in
      (try? database.readers.blockingRead { db in
        try db.first(query) { row in try row[0] as Int64? } ?? nil
      }) ?? 0
    }
    return highest.max() ?? 0
  }

  private func stampOfCopy() throws(MigrationError) -> BackupStamp? {
    let database = try ReadOnlyDatabase(
      path: copy, applicationID: MemeDatabase.applicationID, readers: 1)
    defer { database.close() }
    do { return try BackupStamp.read(in: database) } catch {
      throw .unusable(DatabaseError(error))
    }
  }

  /// Uses the keys of the backup, or the keys next to a restore point. Otherwise the folder keeps its own.
  private func prepareKeys(_ keys: BackupKeys?, besides file: String) throws(FileError) {
    for name in PendingRestore.keys {
      let target = folder.path(of: name) + PendingRestore.new
      if FileCopy.exists("\(file)-\(name)") {
        try FileCopy.copy("\(file)-\(name)", to: target) { _, _ in }
      }
    }
    guard let keys else { return }
    let (secret, token) = (
      folder.path(of: "secret-key") + PendingRestore.new,
      folder.path(of: "admin-token") + PendingRestore.new
    )
    try FileCopy.write(keys.secretKey, to: secret)
    if let text = keys.adminToken { try FileCopy.write(Array(text.utf8), to: token) }
  }

  private func verify(_ file: String, _ isDamagedWelcome: Bool) async throws -> CheckSummary {
    let summary = try await CopyVerification(migrations: migrations, digest: digest).run(
      copy, report: { tell(.found($0)) }, progress: { tell(.checking(done: $0, all: $1)) })
    guard summary.findings == 0 || isDamagedWelcome else {
      throw NotRestored.damaged(file, summary.findings)
    }
    return summary
  }

  /// - Returns: the path of the restore point; `nil` if there was no database.
  private func exchange(for file: String) throws(NotRestored) -> String? {
    let points = RestorePoints(in: folder, now: now)
    let isThere = FileCopy.exists(folder.database)
    // Held until the new database is in place. A database that is too damaged to be opened keeps its WAL.
    let held =
      isThere
      ? try? FrozenDatabase(path: folder.database, migrator: MemeDatabase.migrator(migrations))
      : nil
    defer { withExtendedLifetime(held) {} }
    var point = ""
    try writing { () throws(FileError) in
      try points.makeFolder()
      point = points.newPath(for: .restore)
      let pending = PendingRestore(
        folder: folder, point: String(point.dropFirst(points.folder.count + 1)),
        keepsLog: isThere && held == nil)
      try pending.decide()
    }
    guard isThere else { return nil }
    points.prune(.restore, except: file.split(separator: "/").last.map(String.init))
    return point
  }

  private func writing<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(NotRestored) -> Value {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }

  private func reading<Value>(
    _ file: String, _ body: () throws(MigrationError) -> Value
  ) throws(NotRestored) -> Value {
    do throws(MigrationError) { return try body() } catch { throw .unusable(file, error) }
  }
}
