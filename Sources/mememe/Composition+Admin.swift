import API
import Bytes
import Crypto
import Foundation
import HTTP
import Memes
import Rendering
import SQLite
import Services
import Storage

extension Server {
  /// The routes for admins.
  static func adminRoutes(
    _ settings: Settings, _ database: Database, in folder: DataFolder, memes: MemeStore,
    observers: [any ChangeObserver], trash: Trash, pool: RenderPool, spool: SpoolPlace,
    now: @escaping @Sendable () -> Timestamp
  ) -> AdminRoutes {
    // Only the paths: a reference to the folder itself would keep it locked.
    let (path, file) = (folder.path, folder.database)
    return AdminRoutes(
      suspending: Suspending(store: AccountStatusStore(database, observers: observers), now: now),
      bulkDeleting: BulkDeleting(
        store: memes, trash: trash, purge: TrashPurging(store: memes, trash: trash, now: now),
        now: now),
      log: AuditLog(database.readers),
      overview: Overview(
        store: StatisticsStore(database.readers),
        databaseBytes: { FileSize.bytes(at: file) + FileSize.bytes(at: file + "-wal") },
        freeBytes: { FreeDisk.bytes(at: path) }, renders: pool.meter.seconds,
        confinement: {
          pool.helpers.map { helpers in
            DecoderConfinement(
              calls: helpers.confinement.contains(.calls),
              files: helpers.confinement.contains(.files))
          }
        }, now: now),
      basePath: settings.publicURL?.path ?? "", spool: spool)
  }
}

/// Manages accounts from the command line. A server may use the data folder at the same time.
struct UserCommandContext {
  let managing: ManagingPeople
  let suspending: Suspending
  let list: PeopleList
  private let database: Database

  /// - Throws: ``NoDatabase``, ``UnusableDatabase``.
  init(_ settings: Settings) throws {
    let path = settings.dataFolder
    guard FileManager.default.fileExists(atPath: DataFolder.database(in: path)) else {
      throw NoDatabase(folder: path)
    }
    database = try MemeDatabase.openAsGuest(at: path, migrations: Server.migrations)
    let store = AccountStatusStore(database)
    managing = ManagingPeople(
      store: store, hasher: PasswordHasher(), now: { .now() }, newID: { UserID(Random.uuid()) })
    suspending = Suspending(store: store, now: { .now() })
    list = PeopleList(database.readers)
  }

  func close() async { await database.close() }
}
