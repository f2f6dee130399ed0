package import Bytes
package import Files
package import Memes
import SQL
package import SQLite

/// Backups as files in a folder. Each one is a database with a ``BackupStamp``. The list is read from the files
/// themselves, so it includes files that the operator removes or puts back.
package struct SQLiteBackups: BackupStore {
  private let database: SQLiteDatabase
  private let file: String
  private let folder: BackupFolder
  private let verification: CopyVerification
  private let keys: @Sendable () -> BackupKeys
  private let disk: DiskReserve

  /// - Parameters:
  ///   - file: the path of the database.
  ///   - folder: the folder for the backups, which need not exist yet. No other server may use it.
  ///   - keys: returns the keys to store in a backup.
  ///   - disk: the free space that a backup must leave on its disk.
  package init(
    _ database: SQLiteDatabase, in file: String, to folder: String, verification: CopyVerification,
    keys: @escaping @Sendable () -> BackupKeys, disk: DiskReserve
  ) {
    (self.database, self.file, self.folder) = (database, file, BackupFolder(path: folder))
    (self.verification, self.keys, self.disk) = (verification, keys, disk)
  }

  package func all() throws -> [Backup] {
    try folder.names().compactMap { complete($0, at: "\(folder.path)/\($0)") }
      .sorted { $1.isOlder(than: $0) }
  }

  package var freeBytes: Int? { disk.freeBytes(at: existingPath) }

  /// The path of the folder; before the first backup, of the existing folder in which it will be created.
  private var existingPath: String {
    var path = folder.path
    while FileStatus(of: path) == nil, let slash = path.lastIndex(of: "/"), slash > path.startIndex
    {
      path = String(path[..<slash])
    }
    return path
  }

  package func removeLeftovers() { folder.removeDrafts() }

  package func begin(
    _ id: BackupID, at time: Timestamp, by program: String, isManual: Bool
  ) throws -> Backup {
    try folder.make()
    let bytes = ["", "-wal"].reduce(0) { $0 + (FileStatus(of: file + $1)?.byteCount ?? 0) }
    guard disk.hasRoom(for: bytes, at: existingPath) else { throw MemeError.storageFull }
    // File names have a resolution of one second. Several backups made in one second get later times, one after the
    // other.
    var time = time
    let last = try all().first
    if let newest = last?.takenAt, newest >= time, newest < time.later(bySeconds: 60) {
      time = newest.later(bySeconds: 1)
    }
    while folder.isTaken(time) { time = time.later(bySeconds: 1) }
    return Backup(
      id: id, takenAt: time, program: program, isManual: isManual, number: (last?.number ?? 0) + 1,
      state: .copying(BackupProgress(doneBytes: 0, allBytes: bytes)))
  }

  package func copy(
    _ backup: Backup, progress: @escaping @Sendable (BackupProgress) -> Void
  ) async throws {
    let draft = folder.draft(of: backup)
    do {
      try await database.writer.copy(to: draft) { done, all in
        progress(BackupProgress(doneBytes: Int(done), allBytes: Int(all)))
      }
      let stamp = BackupStamp(
        id: backup.id, takenAt: backup.takenAt, verifiedAt: nil, program: backup.program,
        isManual: backup.isManual, number: backup.number, keys: keys())
      try ClosedDatabase.edit(draft) { db in try stamp.write(in: db) }
    } catch { throw MemeError.naming(error) }
  }

  package func verify(
    _ backup: Backup, report: @escaping @Sendable (Finding) -> Void,
    progress: @escaping @Sendable (BackupProgress) -> Void
  ) async throws -> CheckSummary {
    let draft = folder.draft(of: backup)
    let bytes = FileStatus(of: draft)?.byteCount ?? 0
    progress(BackupProgress(doneBytes: 0, allBytes: bytes))
    do {
      return try await verification.run(draft, report: report) { done, all in
        // Progress counts rows, which gives an estimate in bytes.
        let part = all > 0 ? Double(done) / Double(all) : 1
        progress(BackupProgress(doneBytes: Int(part * Double(bytes)), allBytes: bytes))
      }
    } catch { throw MemeError.storage(error) }
  }

  package func complete(
    _ backup: Backup, verifiedAt time: Timestamp
  ) throws -> Backup {
    do {
      // SQLite syncs the file with this commit.
      try ClosedDatabase.edit(folder.draft(of: backup)) { db in
        try BackupStamp.setVerified(at: time, in: db)
      }
    } catch { throw MemeError.naming(error) }
    guard let complete = complete(backup.fileName, at: folder.draft(of: backup)) else {
      throw MemeError.notFound
    }
    try folder.publish(backup)
    return complete
  }

  package func discard(_ backup: Backup) { folder.removeDraft(of: backup) }

  package func remove(_ backup: Backup) throws { try folder.remove(backup) }

  package func open(_ backup: Backup) throws -> OpenedFile {
    guard let file = OpenedFile(path: folder.path(of: backup)) else { throw MemeError.notFound }
    return file
  }

  package func record(_ entry: AuditEntry) async throws {
    try await database.writer.transaction { db in
      try Storage.record(entry, in: db)
    }
  }

  /// - Returns: `nil` if the file is not a backup of this name, or cannot be read.
  private func complete(_ name: String, at path: String) -> Backup? {
    guard let file = FileStatus(of: path, followingLinks: false), file.kind == .file,
      let database = try? ReadOnlyDatabase(
        path: path, applicationID: MemeDatabase.applicationID, readers: 1)
    else { return nil }
    defer { database.close() }
    guard let stamp = try? BackupStamp.read(in: database), let verifiedAt = stamp.verifiedAt,
      Backup.fileName(at: stamp.takenAt) == name,
      let memes = try? visibleMemes(in: database)
    else { return nil }
    return Backup(
      id: stamp.id, takenAt: stamp.takenAt, program: stamp.program, isManual: stamp.isManual,
      number: stamp.number,
      state: .complete(
        Backup.Contents(
          verifiedAt: verifiedAt, byteCount: file.byteCount, memes: memes)))
  }
}

extension Timestamp {
  fileprivate func later(bySeconds seconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: millisecondsSince1970 + 1000 * seconds)
  }
}

/// The number of memes that are not in the trash, in a database of this or an earlier version.
private func visibleMemes(in database: ReadOnlyDatabase) throws -> Int? {
  try database.readers.blockingRead { db in
    try db.value("SELECT visible FROM totals WHERE id = 1")
  }
}
