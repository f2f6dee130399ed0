import Crypto
import Foundation
import Memes
import SQLite
import Storage

extension Server {
  /// What makes backups of the database, and keeps them.
  ///
  /// - Parameter report: told what happens to them.
  /// - Throws: ``SecretFile/Failure``.
  static func backups(
    _ settings: Settings, _ database: Database, in folder: DataFolder,
    now: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (BackupEvent) -> Void
  ) throws -> Backups {
    let secret = try SecretFile.key(
      at: folder.path(of: "secret-key"), bytes: Authenticator.keyBytes)
    let token =
      settings.adminToken == nil
      ? try SecretFile.token(at: folder.path(of: "admin-token")) : nil
    let store = SQLiteBackups(
      database, in: folder.database, to: settings.backupFolder ?? folder.path(of: "backups"),
      verification: CopyVerification(migrations: migrations, digest: digest),
      keys: {
        BackupKeys(
          secretKey: secret.withUnsafeBytes(Array.init),
          adminToken: token?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      },
      floorBytes: settings.diskFloorBytes, freeBytes: FreeDisk.bytes)
    return Backups(
      store: store,
      keeping: BackupKeeping(
        days: settings.backupKeepDays, weeks: settings.backupKeepWeeks,
        manual: settings.backupKeepManual),
      program: Version.current, now: now,
      newID: { .version7(at: $0, random: UUID()) }, report: report)
  }

  /// Makes backups from time to time; `nil` where nobody wants that.
  static func schedule(
    _ backups: Backups, _ settings: Settings, now: @escaping @Sendable () -> Timestamp, log: Log
  ) -> BackupSchedule? {
    guard settings.backupIntervalSeconds > 0 else { return nil }
    return BackupSchedule(
      backups, intervalSeconds: settings.backupIntervalSeconds, now: now,
      pause: { try await Task.sleep(for: .seconds($0)) }, report: log.notScheduled)
  }
}

/// What an operator makes backups with, of a data folder that no server uses.
struct BackupDesk {
  let backups: Backups
  private let folder: DataFolder
  private let database: Database

  /// Changes nothing in the database: one of another version is refused.
  ///
  /// - Parameter report: told what happens. Runs on any thread.
  /// - Throws: ``NoDatabase``, ``UnusableDatabase``, ``DataFolder/Failure``, ``SecretFile/Failure``.
  init(_ settings: Settings, report: @escaping @Sendable (BackupEvent) -> Void) throws {
    let path = settings.dataFolder
    guard FileManager.default.fileExists(atPath: DataFolder.database(in: path)) else {
      throw NoDatabase(folder: path)
    }
    folder = try DataFolder(path: path)
    // Its owner would bring it up to date.
    try MemeDatabase.openForReading(at: path, migrations: Server.migrations, readers: 1).close()
    database = try MemeDatabase.open(in: folder, migrations: Server.migrations)
    backups = try Server.backups(settings, database, in: folder, now: { .now() }, report: report)
  }

  func close() async {
    backups.close()
    await backups.settle()
    await database.close()
    withExtendedLifetime(folder) {}
  }
}
