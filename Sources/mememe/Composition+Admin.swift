import API
import Files
import Foundation
import Memes
import Rendering
import SQL
import SQLite
import Services
import Storage

extension SharedParts {
  /// The routes for admins.
  func adminRoutes(_ backups: Backups) -> [Route] {
    let settings = resources.settings
    return [
      AdminRoutes(
        statuses: stores.statuses, memes: stores.memes,
        bulkDeletion: BulkDeletion(
          store: stores.memes, trash: trash,
          purge: TrashPurge(store: stores.memes, trash: trash, now: services.now),
          now: services.now),
        log: AuditLog(resources.database.readers), overview: overview(), context: context
      ).routes,
      ReportQueueRoutes(reports: stores.reports, context: context).routes,
      BackupRoutes(
        backups: backups, intervalSeconds: settings.backupIntervalSeconds, context: context
      ).routes,
    ].flatMap(\.self)
  }

  private func overview() -> Overview {
    // Only the paths: a reference to the folder itself would keep it locked.
    let (path, file) = (resources.folder.path, resources.folder.database)
    return Overview(
      store: StatisticsStore(resources.database.readers),
      databaseBytes: { FileSize.bytes(at: file) + FileSize.bytes(at: file + "-wal") },
      freeBytes: { FreeDisk.bytes(at: path) }, renders: resources.pool.meter.seconds,
      confinement: { [pool = resources.pool] in
        pool.helpers.map { helpers in
          DecoderConfinement(
            calls: helpers.confinement.contains(.calls),
            files: helpers.confinement.contains(.files))
        }
      })
  }
}

/// Manages accounts from the command line. A server may use the data folder at the same time.
struct UserCommandContext {
  let accounts: AccountAdministration
  let statuses: AccountStatusStore
  let list: PeopleList
  private let database: SQLiteDatabase

  /// - Throws: ``NoDatabase``, ``UnusableDatabase``.
  init(_ settings: Settings) throws {
    let path = settings.dataFolder
    guard FileManager.default.fileExists(atPath: DataFolder.database(in: path)) else {
      throw NoDatabase(folder: path)
    }
    database = try MemeDatabase.openAsGuest(at: path, migrations: Server.migrations)
    statuses = AccountStatusStore(database)
    accounts = AccountAdministration(
      store: statuses, hasher: PasswordHasher(), now: { .now() })
    list = PeopleList(database.readers)
  }

  func close() async { await database.close() }
}
