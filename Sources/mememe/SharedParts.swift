import API
import Bytes
import HTTP
import Memes
import OpenID
import Rendering
import Services
import Storage

/// What several features of a running server share. Each feature has an extension that creates its routes.
struct SharedParts {
  let resources: Resources
  let stores: Stores
  let limits: StorageLimits
  /// For routes.
  let context: APIContext
  /// For services.
  let services: ServiceContext
  let room: StorageRoom
  let tokens: KeyedTokens
  let trash: Trash
  let cache: ResponseCache
  let bell: ChangeBell
  let listening: ListeningPort
  let address: PublicAddress
  let mailer: any Mailer
  let mails: MailQueue
  let fonts: InstalledFonts
  let formats: InstalledFormats
  let cookie: SessionCookie
  let origin: SameOriginCheck
  let authentication: Authentication
  /// The provider of single sign-ons; `nil` if there is none.
  let provider: OpenIDProvider?
  let accessTokenUses: AccessTokenUses
  /// The rate limits of calls.
  let throttle: SharedThrottle

  init(_ resources: Resources) async throws {
    let (settings, folder, log) = (resources.settings, resources.folder, resources.log)
    self.resources = resources
    let database = resources.database.any
    tokens = try KeyedTokens(folder: folder, settings)
    if case .shared(let shared) = resources.database {
      try await shared.check(tokens, log: log)
      let buckets = BucketStore(database, seal: tokens.seal(for: "rate limits"))
      throttle = SharedThrottle(resources.throttle, shared: buckets)
    } else {
      throttle = SharedThrottle(resources.throttle)
    }
    (cache, bell) = (resources.responseCache(), ChangeBell())
    limits = try await Server.limits(settings, UsageStore(database), in: folder, log)
    stores = Stores(database, settings, limits: limits, cache: cache, bell: bell)
    context = APIContext(
      basePath: resources.basePath, digest: Server.digest, now: resources.now,
      spool: resources.makeSpool(), maxUploadBytes: settings.maxUploadBytes)
    services = ServiceContext(
      now: resources.now, digest: Server.digest, hasRoom: resources.hasRoom,
      idempotency: Idempotency(
        store: IdempotencyStore(database), now: resources.now))
    let days =
      settings.limitsRates && settings.anonymousDayBytes > 0
      ? DailyNetworkQuota(bytes: settings.anonymousDayBytes, now: resources.options.ticks) : nil
    room = StorageRoom(
      StorageRoom.Quotas(store: stores.usage, limits: limits, days: days),
      hasRoom: resources.hasRoom, isReachable: resources.isDatabaseReachable)
    trash = Trash(days: settings.trashDays)
    let listening = ListeningPort(settings.port)
    self.listening = listening
    address = PublicAddress { settings.url(port: listening.number) }
    mailer = try Server.mailer(settings, in: folder, now: resources.now)
    mails = MailQueue(
      mailer: mailer, throttle: throttle, notifies: resources.settings.mailServer != nil,
      report: log.notMailed)
    fonts = try await InstalledFonts(resources.renderer)
    if settings.fontFolder != nil, fonts.added == 0 {
      log.write(.warning, "no readable font in MEMEME_FONTS", [])
    }
    formats = try await InstalledFormats(resources.renderer)
    cookie = SessionCookie(isSecure: settings.isReachedByHTTPS)
    origin = SameOriginCheck(settings.publicURL?.origin, scheme: settings.scheme)
    provider = try settings.openIDClient().map { [now = resources.now] client in
      OpenIDProvider(client, named: settings.oidcName ?? client.issuer.host, now: now)
    }
    accessTokenUses = AccessTokenUses(store: stores.accessTokens.noteUses) { log.notNotedUses($0) }
    authentication = Authentication(
      tokens: tokens, anonymous: settings.anonymous,
      people: Authentication.People(
        sessions: stores.sessions, tokens: stores.accessTokens, uses: accessTokenUses,
        cookie: cookie, origin: origin, context: context))
  }
}
