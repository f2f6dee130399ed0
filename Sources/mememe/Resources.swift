import API
import Bytes
import Files
import Foundation
import HTTPDaemon
import Memes
import Rendering
import SQL
import SQLite
import Storage

/// What a server opens at its start and closes at its end, and what it was started with.
struct Resources {
  let settings: Settings
  let log: Log
  let options: StartOptions
  /// The clock for the times of memes and of purges.
  let now: @Sendable () -> Timestamp
  let daemon: DaemonConfiguration
  let throttle: Throttle
  let pool: RenderPool
  /// Whether the server must stop the pool.
  private let ownsPool: Bool
  let renderer: PooledRenderer
  let folder: DataFolder
  let database: ServerDatabase

  /// Opens the data folder, and migrates the database.
  init(
    _ settings: Settings, log: Log, now: @escaping @Sendable () -> Timestamp, options: StartOptions
  ) async throws {
    (self.settings, self.log, self.now, self.options) = (settings, log, now, options)
    // Comes first: an invalid setting must not touch the data.
    daemon = try Server.daemonConfiguration(settings, log)
    throttle = Throttle(isOn: settings.limitsRates, now: options.ticks)
    (pool, ownsPool) = options.drawing.pool(Server.rendererSettings(settings), for: settings)
    do {
      let limits = try await Server.pictureLimits(settings, of: pool)
      renderer = PooledRenderer(
        pool: pool, limits: limits, digest: Server.digest, throttle: throttle)
      if let helpers = pool.helpers { log.write(helpers.confinement, of: settings) }
      let kinds = PictureFormat.allCases.filter(limits.kinds.contains).map(\.rawValue)
      log.write(
        .info, "supported picture formats", [("kinds", .text(kinds.joined(separator: ",")))])
      folder = try DataFolder(path: settings.dataFolder)
      if let address = settings.database {
        database = .shared(try SharedDatabase(address, settings, log: log))
      } else {
        let points = RestorePoints(in: folder, now: now, tell: log.restorePoint())
        database = .file(
          try MemeDatabase.open(
            in: folder, migrations: Server.migrations, synchronous: options.synchronous,
            keepingIn: points, report: log.checkpoint))
      }
    } catch {
      if ownsPool { await pool.stop() }
      throw error
    }
  }

  /// A renderer for work that can wait, at the cost of its requester. It reads only pictures that the server drew.
  func patientRenderer() -> PooledRenderer {
    PooledRenderer(
      pool: pool, limits: .ofRenders, digest: Server.digest, throttle: throttle, isPatient: true)
  }

  /// The prefix of every URL in responses, without a trailing slash.
  var basePath: String { settings.publicURL?.path ?? "" }

  /// Whether the disk has room for more data; the rest is reserved for deletions.
  var hasRoom: @Sendable () -> Bool {
    // Only the path: a reference to the folder itself would keep it locked.
    { [path = folder.path, disk = DiskReserve(floorBytes: settings.diskFloorBytes)] in
      disk.hasRoom(at: path)
    }
  }

  /// Makes a place for bodies, with a memory budget of its own.
  func makeSpool() -> SpoolPlace { SpoolPlace(directory: folder.path, hasRoom: hasRoom) }

  /// Whether the database answers, as far as that is known without asking it.
  var isDatabaseReachable: @Sendable () -> Bool {
    guard case .shared(let shared) = database else { return { true } }
    return { !shared.changes.isLost(for: .seconds(1)) }
  }

  /// The cache of responses. It answers only while this server knows of all changes that are older than a second.
  func responseCache() -> ResponseCache {
    guard case .shared(let shared) = database else {
      return ResponseCache(capacityBytes: settings.memoryCacheBytes)
    }
    return ResponseCache(capacityBytes: settings.memoryCacheBytes) {
      shared.changes.isFresh(within: .seconds(1))
    }
  }

  func close() async {
    if ownsPool { await pool.stop() }
    await database.close()
    withExtendedLifetime(folder) {}
  }
}
