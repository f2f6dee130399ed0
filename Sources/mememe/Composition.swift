package import API
import Assets
import Bytes
import Crypto
import Foundation
package import HTTP
import HTTPDaemon
package import Memes
import Metrics
import Rendering
import SQLite
import Services
import Storage
import YAML

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

  /// The interval between purges.
  private static let purgeSeconds = 3600

  /// The address of the metrics; `nil` if they have no address of their own.
  package var metricsURL: String? { metricsListener?.url }

  private let daemon: Daemon
  private let metricsListener: MetricsListener?
  /// How long running requests may take to finish when the server stops.
  private let drainSeconds: Double
  private let renderPool: RenderPool
  private let ownsRenderPool: Bool
  private let database: Database
  private let folder: DataFolder
  private let purges: [PurgeSchedule]
  private let filling: WordFilling
  private let mails: MailQueue
  private let resuming: Resuming
  private let bell: ChangeBell
  private let backups: Backups
  private let schedule: BackupSchedule?

  /// Opens the data folder, migrates the database, and listens.
  ///
  /// - Parameter now: the clock for the times of memes and of purges.
  package static func start(
    _ settings: Settings, log: Log, now: @escaping @Sendable () -> Timestamp = { .now() },
    options: StartOptions = StartOptions()
  ) async throws -> Server {
    // Comes first: an invalid setting must not touch the data.
    let daemon = try daemonConfiguration(settings, log)
    let (pool, ownsPool) = options.drawing.pool(rendererSettings(settings), for: settings)
    do {
      let limits = try await pictureLimits(settings, of: pool)
      let throttle = Throttle(isOn: settings.limitsRates, now: options.ticks)
      let renderer = PooledRenderer(pool: pool, limits: limits, digest: digest, throttle: throttle)
      if let helpers = pool.helpers { log.write(helpers.confinement, of: settings) }
      let kinds = PictureFormat.allCases.filter(limits.kinds.contains).map(\.rawValue)
      log.write(.info, "pictures are read", [("kinds", .text(kinds.joined(separator: ",")))])
      return try await start(
        settings, log, daemon, now, pool, ownsPool, renderer, throttle, options)
    } catch {
      if ownsPool { await pool.stop() }
      throw error
    }
  }

  private static func start(
    _ settings: Settings, _ log: Log, _ daemon: DaemonConfiguration,
    _ now: @escaping @Sendable () -> Timestamp, _ pool: RenderPool, _ ownsPool: Bool,
    _ renderer: PooledRenderer, _ throttle: Throttle, _ options: StartOptions
  ) async throws -> Server {
    let folder = try DataFolder(path: settings.dataFolder)
    let points = RestorePoints(in: folder, now: now, tell: log.restorePoint())
    let database = try MemeDatabase.open(
      in: folder, migrations: migrations, synchronous: options.synchronous, keepingIn: points,
      report: log.checkpoint)
    do {
      return try await Server(
        settings, log, daemon, now, folder, database, pool, ownsPool, renderer, throttle, options)
    } catch {
      await database.close()
      throw error
    }
  }

  private init(
    _ settings: Settings, _ log: Log, _ daemonConfiguration: DaemonConfiguration,
    _ now: @escaping @Sendable () -> Timestamp,
    _ folder: DataFolder, _ database: Database, _ pool: RenderPool, _ ownsPool: Bool,
    _ renderer: PooledRenderer, _ throttle: Throttle, _ options: StartOptions
  ) async throws {
    let cache = ResponseCache(capacityBytes: settings.memoryCacheBytes)
    bell = ChangeBell()
    let usage = UsageStore(database)
    let limits = try await Self.limits(settings, usage, in: folder, log)
    let store = MemeStore(database, limits: limits, observers: [cache, bell])
    let uploads = UploadStore(database, limits: limits)
    let templates = TemplateStore(database, limits: limits)
    let retrying = Retrying(store: IdempotencyStore(database), now: now)
    let hasRoom = { @Sendable [path = folder.path] in
      FreeDisk.bytes(at: path).map { $0 >= settings.diskFloorBytes } ?? true
    }
    let days =
      settings.limitsRates && settings.anonymousDayBytes > 0
      ? DailyNetworkQuota(bytes: settings.anonymousDayBytes, now: options.ticks) : nil
    let room = StorageRoom(
      StorageRoom.Quotas(store: usage, limits: limits, days: days), hasRoom: hasRoom)
    let tokens = try KeyedTokens(folder: folder, adminToken: settings.adminToken)
    let trash = Trash(days: settings.trashDays)
    let basePath = settings.publicURL?.path ?? ""
    let contract = Assets.openAPI
    let listening = ListeningPort(settings.port)
    let address = PublicAddress { settings.url(port: listening.number) }
    let browsing = Browsing(store: store)
    let spool = SpoolPlace(directory: folder.path)

    let mailer = try Self.mailer(settings, in: folder, now: now)
    mails = MailQueue(mailer: mailer, throttle: throttle, report: log.notMailed)

    let fonts = try await InstalledFonts(renderer)
    if settings.fontFolder != nil, fonts.added == 0 {
      log.write(.warning, "MEMEME_FONTS has no font that can be read", [])
    }
    let derived = DerivedPictures(database, capacityBytes: settings.cacheBytes)
    // The cache may be smaller than at the last start.
    do { try await derived.trim() } catch { log.notDerived(error) }
    let deriving = Deriving(
      memes: store, derived: derived,
      renderer: PooledRenderer(
        pool: pool, limits: .ofRenders, digest: Self.digest, throttle: throttle, isPatient: true),
      hasRoom: hasRoom, report: log.notDerived)
    let drawing = Drawing(
      memes: store, uploads: uploads, templates: templates, renderer: renderer,
      defaultMaxEdge: try MaxEdge(pixels: settings.renderMaxEdge), now: now)
    let settingsKeeping = KeepingSettings(store: SettingsStore(database))
    let memes = MemeRoutes(
      publishing: Publishing(
        store: store, drawing: drawing, retrying: retrying, digest: Self.digest, now: now,
        newID: { .version7(at: $0, random: UUID()) }, room: room),
      browsing: browsing, deriving: deriving,
      editing: Editing(store: store, drawing: drawing, now: now, room: room),
      removing: Removing(store: store, trash: trash, now: now),
      claiming: Claiming(store: store, tokens: tokens), settings: settingsKeeping,
      tokens: tokens, fonts: fonts, formats: try await InstalledFormats(renderer),
      negotiates: settings.negotiate, digest: Self.digest, basePath: basePath,
      maxUploadBytes: settings.maxUploadBytes, spool: spool)
    resuming = Resuming(
      store: uploads, reader: renderer, place: spool,
      bound: UnfinishedUploadLimit(count: 32, bytes: 8 * settings.maxUploadBytes),
      digest: Self.digest,
      now: now, newID: { UploadID(Random.uuid()) }, room: room)
    let uploading = UploadRoutes(
      uploading: Uploading(
        store: uploads, reader: renderer, retrying: retrying, now: now,
        newID: { UploadID(Random.uuid()) }, room: room),
      resuming: resuming, digest: Self.digest, basePath: basePath,
      maxUploadBytes: settings.maxUploadBytes, spool: spool)
    let templating = TemplateRoutes(
      templating: Templating(
        store: templates, copier: renderer, retrying: retrying, now: now,
        newID: { .version7(at: $0, random: UUID()) }, room: room),
      tokens: tokens, digest: Self.digest, isForAnybody: settings.anonymousTemplates,
      basePath: basePath,
      maxUploadBytes: settings.maxUploadBytes, spool: spool)
    let shares = ShareRoutes(
      sharing: Sharing(
        shares: store, memes: store, mailer: mailer, throttle: throttle, retrying: retrying,
        digest: Self.digest, now: now, hasRoom: hasRoom),
      browsing: browsing, address: address, digest: Self.digest, basePath: basePath, spool: spool)
    let operations = OperationRoutes(
      readiness: Readiness(
        database: store.checkHealth, renderer: renderer.checkHealth,
        freeDiskBytes: { [path = folder.path] in FreeDisk.bytes(at: path) },
        diskFloorBytes: settings.diskFloorBytes,
        report: { check, cause in
          log.write(
            .error, "not ready", [("check", .text(check.rawValue)), ("cause", .text(cause))])
        }),
      openAPI: contract, contractPage: { try Self.contractPage(of: contract) })

    let people = PeopleParts(
      settings, database, observers: [cache, bell], tokens: tokens, throttle: throttle,
      retrying: retrying, mails: mails, address: address, spool: spool, now: now, hasRoom: hasRoom)
    let admin = Self.adminRoutes(
      settings, database, in: folder, memes: store, observers: [bell], trash: trash,
      pool: pool, spool: spool, now: now)

    backups = try Self.backups(settings, database, in: folder, now: now, report: log.backup)

    let reports = ReportStore(database)
    let notifications = NotificationStore(database)
    let avatars = AvatarStore(database, observers: [cache])

    let page = MetricsPage()
    page.addProcess()
    page.add(cache, log)
    page.add(throttle)
    page.add(bell)
    page.add(pool)
    page.add(deriving)
    page.add(database, in: folder, limits)
    page.add(backups)
    let metrics = MetricsRoutes(
      page: page, access: settings.metricsAddress == nil ? .machine : .open)

    let features: [[Route]] = [
      memes.routes, uploading.routes, templating.routes, shares.routes, people.routes,
      admin.routes, operations.routes,
      BackupRoutes(
        backups: backups, intervalSeconds: settings.backupIntervalSeconds, basePath: basePath
      ).routes,
      WebRoutes(
        files: Assets.web, digest: Self.digest, basePath: basePath, anonymous: settings.anonymous
      ).routes,
      SyncRoutes(
        syncing: Syncing(store: store, bell: bell), authentication: people.authentication,
        basePath: basePath, connections: daemonConfiguration.maximumConnections
      ).routes,
      CommentRoutes(
        commenting: Commenting(
          store: people.comments, memes: store, retrying: retrying, now: now,
          newID: { .version7(at: $0, random: UUID()) }, hasRoom: hasRoom),
        digest: Self.digest, basePath: basePath, spool: spool
      ).routes,
      AvatarRoutes(
        picturing: Picturing(store: avatars, artist: renderer, hasRoom: hasRoom),
        basePath: basePath, maxUploadBytes: settings.maxUploadBytes, spool: spool
      ).routes,
      SettingsRoutes(
        keeping: settingsKeeping, fonts: fonts, digest: Self.digest, spool: spool
      ).routes,
      ExportRoutes(
        exporting: Exporting(
          users: people.users, sessions: people.sessions, settings: settingsKeeping,
          avatars: avatars, relations: RelationStore(database),
          marks: people.marks, comments: people.comments, memes: store, templates: templates,
          reports: reports,
          hasRoom: hasRoom),
        now: now, basePath: basePath,
        // A client that downloads an archive slowly takes up no memory.
        spool: SpoolPlace(directory: folder.path, memoryBytes: 0)
      ).routes,
      NotificationRoutes(
        notifying: Notifying(store: notifications), digest: Self.digest, basePath: basePath,
        spool: spool
      ).routes,
      ReportRoutes(
        reporting: Reporting(
          store: reports, retrying: retrying, now: now,
          newID: { .version7(at: $0, random: UUID()) }, hasRoom: hasRoom),
        digest: Self.digest, spool: spool
      ).routes,
      ReportQueueRoutes(
        handling: HandlingReports(store: reports, now: now), digest: Self.digest,
        basePath: basePath, spool: spool
      ).routes,
      UsageRoutes(store: usage, limits: limits, throttle: throttle).routes,
      FontRoutes(fonts: fonts, basePath: basePath).routes,
      settings.metricsAddress == nil ? metrics.routes : [],
    ]
    routes = features.flatMap(\.self)
    let app = App(
      routes: routes, authentication: people.authentication, throttle: throttle,
      freeNetworks: settings.freeNetworks, transportSeconds: settings.hstsSeconds,
      basePath: basePath, origins: settings.corsOrigins,
      cache: cache, log: log)
    daemon = Daemon(daemonConfiguration, service: app)
    page.add(app.meter, daemon)
    drainSeconds = Double(settings.drainTimeoutSeconds)
    (self.folder, self.database, renderPool) = (folder, database, pool)
    (service, ownsRenderPool) = (app, ownsPool)
    if options.listens { try daemon.start() }
    port = daemon.boundPort.map(Int.init) ?? settings.port
    listening.number = port
    url = settings.url(port: port)
    do {
      metricsListener = try settings.metricsAddress.map {
        try MetricsListener($0, metrics, tokens: tokens, log: log)
      }
    } catch {
      await daemon.stop(drainSeconds: 0)
      throw error
    }
    let kinds: [(any Purge, @Sendable (Result<Int, any Error>) -> Void)] = [
      (TrashPurging(store: store, trash: trash, now: now), { log.purged($0) }),
      (UploadPurging(store: uploads, now: now), { log.purgedUploads($0) }),
      (people.purging, { log.purgedSessions($0) }),
      (people.resetPurging, { log.purgedResets($0) }),
      (NotificationPurging(store: notifications, now: now), { log.purgedNotifications($0) }),
      (
        TombstonePruning(store: store, days: settings.tombstoneDays, now: now),
        { log.prunedTombstones($0) }
      ),
      (people.discarding, { log.discarded($0) }),
    ]
    purges = kinds.map { purge, report in
      PurgeSchedule(
        purge, pause: { try await Task.sleep(for: .seconds(Self.purgeSeconds)) }, report: report)
    }
    filling = WordFilling(
      store: WordStore(database, observers: [cache]),
      pause: { try await Task.sleep(for: .seconds(Self.purgeSeconds)) },
      report: { log.filledWords($0) })
    schedule = Self.schedule(backups, settings, now: now, log: log)
  }

  /// Finishes running requests, then closes everything.
  package func stop() async {
    let deadline = ContinuousClock.now + .seconds(drainSeconds)
    // A backup in progress is canceled, because a later one is just as good.
    backups.close()
    await daemon.stop(drainSeconds: drainSeconds) { bell.close() }
    // A daemon that never listened does not drain.
    bell.close()
    // Stores the received bytes of interrupted uploads.
    await resuming.settle()
    // The last requests may have queued mails.
    await mails.stop(by: deadline)
    // The last listener to stop, so that operators can watch the drain.
    await metricsListener?.stop()
    await schedule?.stop()
    await backups.settle()
    for purge in purges { await purge.stop() }
    await filling.stop()
    if ownsRenderPool { await renderPool.stop() }
    await database.close()
    withExtendedLifetime(folder) {}
  }

  static let digest: Digester = { bytes in
    Digest { $0.copyBytes(from: SHA256.digest(of: bytes)) }
  }

  private static func contractPage(of contract: Bytes) throws -> Bytes {
    // Building the page takes memory that is not needed afterwards.
    defer { FreedMemory.giveBack() }
    return Bytes(ContractPage(contract: try YAML(parsing: contract.utf8Text ?? "")).html.text)
  }

  static var migrations: [Migration] {
    Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) }
  }

  private static func daemonConfiguration(
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
        "the TLS key can be read by every user of the machine; the next release refuses that: chmod o-r",
        [("key", .text(files.key))])
    }
    daemon.maximumConnections = min(settings.maxConnections, OpenFiles.connections)
    daemon.maximumConnectionsOfNetwork = settings.networkConnections
    if daemon.maximumConnections < settings.maxConnections {
      log.write(
        .warning, "the limit of open files allows fewer connections",
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
        .warning, "MEMEME_REQUEST_TIMEOUT ends a request before MEMEME_RENDER_TIMEOUT can",
        [
          ("request", .whole(settings.requestTimeoutSeconds)),
          ("render", .whole(settings.renderTimeoutSeconds)),
        ])
    }
    return daemon
  }
}
