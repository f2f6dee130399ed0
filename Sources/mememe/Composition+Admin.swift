import API
import Files
import Foundation
import Memes
import Rendering
import SQL
import Services
import Storage

extension SharedParts {
  /// The routes for admins.
  func adminRoutes(_ backups: Backups?) -> [Route] {
    let settings = resources.settings
    return [
      AdminRoutes(
        statuses: stores.statuses, memes: stores.memes,
        bulkDeletion: BulkDeletion(
          store: stores.memes, trash: trash,
          purge: TrashPurge(store: stores.memes, trash: trash, now: services.now),
          now: services.now),
        log: AuditLog(resources.database.any.readers), overview: overview(), context: context
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
      store: StatisticsStore(resources.database.any.readers),
      databaseBytes: { [database = resources.database] in
        switch database {
        case .file: FileSize.bytes(at: file) + FileSize.bytes(at: file + "-wal")
        case .shared(let shared): try await shared.servers.bytes()
        }
      },
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

/// Manages accounts from the command line. Servers may use the database at the same time.
struct UserCommandContext {
  let accounts: AccountAdministration
  let statuses: AccountStatusStore
  let list: PeopleList
  private let database: GuestDatabase

  /// - Throws: ``NoDatabase``, ``UnusableDatabase``, ``UnusableServer``.
  init(_ settings: Settings) throws {
    database = try GuestDatabase(settings)
    let database = database.any
    statuses = AccountStatusStore(database)
    accounts = AccountAdministration(
      store: statuses, hasher: PasswordHasher(), now: { .now() })
    list = PeopleList(database.readers)
  }

  func close() async { await database.close() }
}
