import Crypto
import Files
import Foundation
import Memes
import SQL
import SQLite
import Services
import Storage

extension Server {
  /// The component that makes and stores backups of the database.
  ///
  /// - Parameter report: receives backup events.
  /// - Throws: ``SecretFile/Failure``, ``FileError``.
  static func backups(
    _ settings: Settings, _ database: SQLiteDatabase, in folder: DataFolder,
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
      disk: DiskReserve(floorBytes: settings.diskFloorBytes))
    return Backups(
      store: store,
      keeping: BackupRetention(
        days: settings.backupKeepDays, weeks: settings.backupKeepWeeks,
        manual: settings.backupKeepManual),
      program: Version.current, now: now, report: report)
  }

  /// The schedule for automatic backups; `nil` if they are turned off.
  static func schedule(
    _ backups: Backups, _ settings: Settings, now: @escaping @Sendable () -> Timestamp, log: Log
  ) -> BackupSchedule? {
    guard settings.backupIntervalSeconds > 0 else { return nil }
    return BackupSchedule(
      backups, intervalSeconds: settings.backupIntervalSeconds, now: now,
      pause: { try await Task.sleep(for: .seconds($0)) }, report: log.notScheduled)
  }
}

/// Makes backups from the command line, of a data folder that no server uses.
struct BackupCommandContext {
  let backups: Backups
  private let folder: DataFolder
  private let database: SQLiteDatabase

  /// Does not migrate the database: other versions are rejected.
  ///
  /// - Parameter report: receives backup events, on any thread.
  /// - Throws: ``NoDatabase``, ``UnusableDatabase``, ``DataFolder/InUse``, ``SecretFile/Failure``, ``FileError``.
  init(_ settings: Settings, report: @escaping @Sendable (BackupEvent) -> Void) throws {
    let path = settings.dataFolder
    try NoDatabase.check(path)
    folder = try DataFolder(path: path)
    // This rejects other versions, before the call below would migrate them.
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
