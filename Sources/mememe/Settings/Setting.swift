import HTTP
import Memes

/// One setting: its name, its help text, and how its value is parsed.
package struct Setting: Sendable {
  package static let prefix = "MEMEME_"

  /// The name without the prefix: `RENDER_MAX_EDGE`.
  package let name: String
  /// The default value, as text for people.
  package let standard: String
  package let help: String
  let apply: @Sendable (inout Settings, SettingText) throws -> Void

  /// `MEMEME_RENDER_MAX_EDGE`
  package var variable: String { Self.prefix + name }

  /// `--render-max-edge`
  package var flag: String { "--" + name.lowercased().replacing("_", with: "-") }

  private init(
    _ name: String, _ standard: String, _ help: String,
    _ apply: @escaping @Sendable (inout Settings, SettingText) throws -> Void
  ) {
    (self.name, self.standard, self.help, self.apply) = (name, standard, help, apply)
  }

  /// All settings.
  package static let all: [Setting] = [
    Setting("HOST", "127.0.0.1", "the address or name to listen on") {
      $0.host = try $1.nonEmpty()
    },
    Setting("PORT", "8080", "the port to listen on; 0 is any free one") {
      $0.port = try $1.number(0...65_535)
    },
    Setting("DATA", "./data", "the folder that holds everything") {
      $0.dataFolder = try $1.nonEmpty()
    },
    Setting("ADMIN_TOKEN", "made", "the admin's bearer token, 16 to 512 characters") {
      $0.adminToken = try $1.token()
    },
    Setting("PUBLIC_URL", "from HOST and PORT", "where clients see the server") {
      $0.publicURL = try $1.publicURL()
    },
    Setting("ANONYMOUS", "true", "whether people without credentials may do anything") {
      $0.anonymous = try $1.flag()
    },
    Setting("MAX_UPLOAD_BYTES", "33554432", "how many bytes a picture's file may have") {
      $0.maxUploadBytes = try $1.number(1024...1 << 30)
    },
    Setting("MAX_PIXELS", "100000000", "how many pixels a picture may have, all frames together") {
      $0.maxPixels = try $1.number(1...1_000_000_000)
    },
    Setting("MAX_FRAMES", "200", "how many frames a moving picture may have") {
      $0.maxFrames = try $1.number(1...10_000)
    },
    Setting(
      "DECODERS", "all that are safe",
      "the kinds of picture that are read: jpeg,png,gif,webp,avif,heic"
    ) {
      $0.decoders = try $1.words()
    },
    Setting("CONFINE", "try", "what keeps decoders from all else: require, try or off") {
      $0.confinement = try $1.word()
    },
    Setting("RENDER_MAX_EDGE", "2048", "the longest edge of a render that asks for none") {
      $0.renderMaxEdge = try $1.number(MaxEdge.range)
    },
    Setting("RENDER_WORKERS", "cores", "how many pictures are drawn at once") {
      $0.renderWorkers = try $1.number(1...256)
    },
    Setting("RENDER_MEMORY", "half", "how many bytes of memory the pictures drawn at once may take")
    {
      $0.renderMemory = try $1.number(64 << 20...1 << 50)
    },
    Setting("RENDER_QUEUE", "256", "how many pictures may wait to be drawn") {
      $0.renderQueue = try $1.number(0...65_536)
    },
    Setting("RENDER_TIMEOUT", "20", "the seconds that a picture may wait and be drawn") {
      $0.renderTimeoutSeconds = try $1.number(1...3600)
    },
    Setting("FONTS", "none", "a folder of fonts to add to the machine's") {
      $0.fontFolder = try $1.folder()
    },
    Setting("LOG_LEVEL", "info", "debug, info, warning or error") {
      $0.logLevel = try $1.word()
    },
    Setting("LOG_FORMAT", "text", "text or json") {
      $0.logFormat = try $1.word()
    },
    Setting("MAX_CONNECTIONS", "1000", "how many connections may be open at once") {
      $0.maxConnections = try $1.number(1...65_536)
    },
    Setting("NETWORK_CONNECTIONS", "128", "how many of them one network may have open") {
      $0.networkConnections = try $1.number(1...65_536)
    },
    Setting("HEADER_TIMEOUT", "10", "the seconds that a request's head may take to arrive") {
      $0.headerTimeoutSeconds = try $1.number(1...3600)
    },
    Setting("BODY_MIN_RATE", "1024", "the bytes a second that a body must come and go with") {
      $0.bodyMinRate = try $1.number(1...1 << 30)
    },
    Setting("REQUEST_TIMEOUT", "30", "the seconds that a complete request may wait for its answer")
    {
      $0.requestTimeoutSeconds = try $1.number(1...3600)
    },
    Setting("KEEPALIVE_TIMEOUT", "30", "the seconds that a connection may be silent") {
      $0.keepaliveTimeoutSeconds = try $1.number(1...3600)
    },
    Setting("DRAIN_TIMEOUT", "20", "the seconds that requests may take to end at a stop") {
      $0.drainTimeoutSeconds = try $1.number(0...3600)
    },
    Setting("MEMORY_CACHE_BYTES", "67108864", "how many bytes of answers are kept in memory") {
      $0.memoryCacheBytes = try $1.number(0...1 << 40)
    },
    Setting("CACHE_BYTES", "1073741824", "how many bytes of derived pictures are kept on the disk")
    {
      $0.cacheBytes = try $1.number(0...1 << 50)
    },
    Setting(
      "NEGOTIATE", "false", "whether images come as AVIF or WebP to who names those in Accept"
    ) {
      $0.negotiate = try $1.flag()
    },
    Setting(
      "DISK_FLOOR_BYTES", "67108864",
      "the free bytes on the disk below which it takes no uploads and is not ready"
    ) {
      $0.diskFloorBytes = try $1.number(0...1 << 50)
    },
    Setting("QUOTA_BYTES", "2147483648", "how many bytes each account may store; 0 for no limit") {
      $0.quotaBytes = try $1.number(0...1 << 50)
    },
    Setting(
      "ANONYMOUS_BYTES", "a tenth of the disk",
      "how many bytes all without an account may store; 0 for no limit"
    ) {
      $0.anonymousBytes = try $1.number(0...1 << 50)
    },
    Setting(
      "ANONYMOUS_DAY_BYTES", "268435456",
      "how many bytes a network may store in a day without an account; 0 for no limit"
    ) {
      $0.anonymousDayBytes = try $1.number(0...1 << 40)
    },
    Setting("ANONYMOUS_TEMPLATES", "false", "whether templates are taken without an account") {
      $0.anonymousTemplates = try $1.flag()
    },
    Setting("TLS_CERT", "none", "a file with the certificate chain, in PEM") {
      $0.tlsCertificate = try $1.nonEmpty()
    },
    Setting("TLS_KEY", "none", "a file with the certificate's private key, in PEM") {
      $0.tlsKey = try $1.nonEmpty()
    },
    Setting("CORS_ORIGINS", "none", "origins whose pages may read answers, with commas, or *") {
      $0.corsOrigins = try $1.origins()
    },
    Setting("METRICS_ADDRESS", "same port", "host:port to serve /metrics at instead") {
      $0.metricsAddress = try $1.hostAndPort()
    },
    Setting(
      "SMTP_URL", "none", "smtp:// or smtps:// with user:password@ if needed, to send mail by"
    ) {
      $0.mailServer = try $1.mailServer()
    },
    Setting("MAIL_FROM", "mememe@localhost", "the address that mails are from") {
      $0.mailSender = try $1.emailAddress()
    },
    Setting("TRASH_DAYS", "7", "the days that a deleted meme can be restored") {
      $0.trashDays = try $1.number(0...36_500)
    },
    Setting("TOMBSTONE_DAYS", "30", "the days that clients are told of a deletion") {
      // Not shorter than the lifetime of an Idempotency-Key: a repeated request must not make a deleted meme again.
      $0.tombstoneDays = try $1.number(1...36_500)
    },
    Setting("BACKUPS", "backups in DATA", "the folder for backups, which no other server has") {
      $0.backupFolder = try $1.path()
    },
    Setting("BACKUP_INTERVAL", "0", "the seconds between two backups; 0 makes none") {
      $0.backupIntervalSeconds = try $1.number(0...1 << 30)
    },
    Setting("BACKUP_KEEP_DAYS", "7", "of how many days the newest backup is kept") {
      $0.backupKeepDays = try $1.number(0...36_500)
    },
    Setting("BACKUP_KEEP_WEEKS", "4", "of how many weeks the newest backup is kept") {
      $0.backupKeepWeeks = try $1.number(0...5200)
    },
    Setting("BACKUP_KEEP_MANUAL", "10", "how many backups that were made by hand are kept besides")
    {
      $0.backupKeepManual = try $1.number(0...10_000)
    },
    Setting("SESSION_IDLE", "2592000", "the seconds after which an unused session is over") {
      $0.sessionIdleSeconds = try $1.number(60...1 << 30)
    },
    Setting("SESSION_MAX", "31536000", "the seconds after which a session is over in any case") {
      $0.sessionMaxSeconds = try $1.number(60...1 << 30)
    },
    Setting(
      "HSTS", "0", "the seconds for which browsers use HTTPS alone for this host; 0 does not say so"
    ) {
      $0.hstsSeconds = try $1.number(0...1 << 30)
    },
    Setting("RATE_LIMITS", "on", "whether it is limited how often somebody may ask: on or off") {
      $0.limitsRates = try $1.onOrOff()
    },
    Setting(
      "TRUSTED_PROXIES", "none",
      "addresses or ranges of proxies, with commas, whose X-Forwarded-For is believed"
    ) {
      $0.trustedProxies = TrustedProxies(try $1.ranges())
    },
    Setting(
      "FREE_NETWORKS", "none",
      "addresses or ranges, with commas, for whom drawing costs nothing; a proxy is none of them"
    ) {
      $0.freeNetworks = try $1.ranges()
    },
  ]
}
