package import API
import Bytes
import Crypto
import Foundation
package import HTTP
import HTTPDaemon
package import Memes
import Metrics
import Rendering
import SQL
import Services
import Storage

/// A running server. Creates and connects all components.
package final class Server: Sendable {
  /// The routes that the server handles.
  package let routes: [Route]
  /// Handles requests without a socket.
  package let service: any Service
  /// The port on which the server listens; the port in the settings if it does not listen.
  package let port: Int
  /// The address at which clients reach the server.
  package let url: String

  /// The address of the metrics; `nil` if they have no address of their own.
  package var metricsURL: String? { metricsListener?.url }

  let resources: Resources
  private let daemon: Daemon
  private let metricsListener: MetricsListener?
  private let mails: MailQueue
  private let accessTokenUses: AccessTokenUses
  private let events: EventSender
  private let resumable: ResumableUploads
  private let bell: ChangeBell
  /// `nil` if the database is not this server's own.
  private let backups: Backups?
  private let schedule: BackupSchedule?
  private let maintenance: Maintenance
  private let upkeep: SharedUpkeep?

  /// Opens the data folder, migrates the database, and listens.
  ///
  /// - Parameter now: the clock for the times of memes and of purges.
  package static func start(
    _ settings: Settings, log: Log, now: @escaping @Sendable () -> Timestamp = { .now() },
    options: StartOptions = StartOptions()
  ) async throws -> Server {
    let resources = try await Resources(settings, log: log, now: now, options: options)
    do { return try await Server(resources) } catch {
      await resources.close()
      throw error
    }
  }

  private init(_ resources: Resources) async throws {
    let (settings, log) = (resources.settings, resources.log)
    let parts = try await SharedParts(resources)
    // The cache may be smaller than at the last start.
    do { try await parts.stores.derived.trim() } catch { log.notDerived(error) }
    let renditions = parts.renditions()
    (bell, mails, resumable) = (parts.bell, parts.mails, parts.resumableUploads())
    accessTokenUses = parts.accessTokenUses
    events = parts.eventSender()
    backups =
      switch resources.database {
      case .file(let database):
        try Self.backups(
          settings, database, in: resources.folder, now: resources.now, report: log.backup)
      case .shared: nil
      }

    let page = MetricsPage(parts, renditions, backups)
    let metrics = MetricsRoutes(
      page: page, access: settings.metricsAddress == nil ? .machine : .open)
    let allRoutes =
      try parts.memeRoutes(renditions) + parts.uploadRoutes(resumable) + parts.peopleRoutes()
      + parts.adminRoutes(backups) + parts.operationRoutes() + parts.clientRoutes()
      + (settings.metricsAddress == nil ? metrics.routes : [])
    routes = allRoutes.map { route in
      route.redirectingFormerUsernames(of: parts.stores.relations, parts.context)
    }
    var options = AppOptions(sending: resources.makeSpool())
    (options.freeNetworks, options.transportSeconds) = (settings.freeNetworks, settings.hstsSeconds)
    (options.basePath, options.origins) = (resources.basePath, settings.corsOrigins)
    upkeep =
      switch resources.database {
      case .file: nil
      case .shared(let shared):
        shared.upkeep(
          telling: [parts.cache, parts.bell], log: log, stop: resources.options.stop)
      }
    let app = App(
      options, routes: routes, authentication: parts.authentication, throttle: parts.throttle,
      cache: parts.cache, log: log)
    daemon = Daemon(resources.daemon, service: app)
    page.add(app.meter, daemon)
    page.add(events.meter)
    (self.resources, service) = (resources, app)
    if resources.options.listens { try daemon.start() }
    port = daemon.boundPort.map(Int.init) ?? settings.port
    parts.listening.number = port
    url = settings.url(port: port)
    do {
      metricsListener = try settings.metricsAddress.map {
        try MetricsListener(
          $0, metrics, tokens: parts.tokens, spool: resources.makeSpool(), log: log)
      }
    } catch {
      await daemon.stop(drainSeconds: 0)
      throw error
    }
    maintenance = Maintenance(parts)
    schedule = backups.flatMap { Self.schedule($0, settings, now: resources.now, log: log) }
    events.start()
  }

  /// Finishes running requests, then closes everything.
  package func stop() async {
    // How long running requests may take.
    let drainSeconds = Double(resources.settings.drainTimeoutSeconds)
    let deadline = ContinuousClock.now + .seconds(drainSeconds)
    // A backup in progress is canceled, because a later one is just as good.
    backups?.close()
    // A delivery in progress may take 15 seconds. Events of the last requests are delivered after the next start.
    async let deliveries: Void = events.stop()
    await daemon.stop(drainSeconds: drainSeconds) { bell.close() }
    // A daemon that never listened does not drain.
    bell.close()
    // Stores the received bytes of interrupted uploads.
    await resumable.settle()
    await deliveries
    // The last requests may have queued mails.
    await mails.stop(by: deadline)
    await accessTokenUses.finish()
    // The last listener to stop, so that operators can watch the drain.
    await metricsListener?.stop()
    await schedule?.stop()
    await backups?.settle()
    await maintenance.stop()
    await upkeep?.stop()
    await resources.close()
  }

  static let digest: Digester = { bytes in
    Digest { $0.copyBytes(from: SHA256.digest(of: bytes)) }
  }

  static var migrations: [Migration] {
    Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) }
  }

  static var serverMigrations: [Migration] {
    Assets.serverMigrations.map { Migration(name: $0.name, sql: $0.sql) }
  }

  /// The number of the newest migration for PostgreSQL. Not every migration of SQLite has a counterpart there, and the
  /// other way round.
  static var serverVersion: Int {
    serverMigrations.last.flatMap { Int($0.name.prefix(4)) } ?? 0
  }

  static func daemonConfiguration(
    _ settings: Settings, _ log: Log
  ) throws -> DaemonConfiguration {
    var daemon = DaemonConfiguration(
      host: settings.host, port: UInt16(clamping: settings.port),
      threads: ProcessInfo.processInfo.activeProcessorCount)
    let files = TLSFiles(settings)
    daemon.identity = try files?.identity()
    if let files, files.keyIsForAll {
      log.write(
        .warning,
        "every user of the machine can read the TLS key, which the next release will reject; run chmod o-r",
        [("key", .text(files.key))])
    }
    daemon.maximumConnections = min(settings.maxConnections, OpenFiles.connections)
    daemon.maximumConnectionsOfNetwork = settings.networkConnections
    if daemon.maximumConnections < settings.maxConnections {
      log.write(
        .warning, "fewer connections are available because of the open files limit",
        [("connections", .whole(daemon.maximumConnections))])
    }
    daemon.trustedProxies = settings.trustedProxies
    daemon.deadlines.headSeconds = Double(settings.headerTimeoutSeconds)
    daemon.deadlines.keepAliveSeconds = Double(settings.keepaliveTimeoutSeconds)
    daemon.deadlines.minimumBytesPerSecond = settings.bodyMinRate
    daemon.deadlines.requestSeconds = Double(settings.requestTimeoutSeconds)
    daemon.log = log.library
    daemon.warn = log.connections
    if settings.requestTimeoutSeconds <= settings.renderTimeoutSeconds {
      log.write(
        .warning, "MEMEME_REQUEST_TIMEOUT is not longer than MEMEME_RENDER_TIMEOUT",
        [
          ("request", .whole(settings.requestTimeoutSeconds)),
          ("render", .whole(settings.renderTimeoutSeconds)),
        ])
    }
    return daemon
  }
}
