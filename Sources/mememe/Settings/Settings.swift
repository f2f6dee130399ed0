package import HTTP
package import Mail
package import Memes
package import Objects
package import OpenID
package import PostgreSQL
package import Rendering

/// The settings of an operator: environment variables with the prefix `MEMEME_`, and the same as flags.
package struct Settings: Sendable {
  package var host = "127.0.0.1"
  /// 0 chooses any free port.
  package var port = 8080
  package var dataFolder = "./data"
  /// `nil` uses SQLite in the data folder.
  package var database: ServerAddress?
  package var databaseConnections = 8
  /// `nil` keeps pictures in the database.
  package var objects: S3Address?
  /// The file with the account of the object store.
  package var objectsKeyFile: String?
  /// The account of the object store in the variables of AWS; `nil` if they are not set.
  package var awsAccount: S3Credentials?
  /// How long an object stays after its row is deleted.
  package var objectGraceSeconds = 600
  /// The file of the key that all servers of a PostgreSQL database share.
  package var secretKeyFile: String?
  /// The name of this server among those of a PostgreSQL database. `nil` uses the name of the machine.
  package var serverName: String?
  /// `nil` uses the data folder's `admin-token`, which the first start creates.
  package var adminToken: String?
  /// `nil` derives the URL from host and port.
  package var publicURL: PublicURL?
  package var anonymous = true
  package var registration = RegistrationMode.open
  /// The maximum number of valid invitations of a member.
  package var memberInvites = 0
  package var connections = ConnectionMode.admins
  /// The private and local addresses to which events may be sent.
  package var connectionsAllow: [AddressRange] = []
  package var maxUploadBytes = 33_554_432
  package var maxPixels = 100_000_000
  package var maxFrames = 200
  /// `nil` enables all formats that this machine can read. AVIF and HEIC are included only if their
  /// decoders are confined.
  package var decoders: [PictureFormat]?
  package var confinement = Confinement.Demand.try
  package var renderMaxEdge = 2048
  /// `nil` uses one worker per core.
  package var renderWorkers: Int?
  /// The memory of all pictures that are drawn at the same time. `nil` uses half of the memory of the machine, or of
  /// the service's limit.
  package var renderMemory: Int?
  package var renderQueue = 256
  package var renderTimeoutSeconds = 20
  /// `nil` adds no fonts to those of the machine.
  package var fontFolder: String?
  package var logLevel = LogLevel.info
  package var logFormat = LogFormat.text
  /// `nil` uses the value that the first start chose.
  package var quotaBytes: Int?
  package var anonymousBytes: Int?
  package var anonymousDayBytes = 256 << 20
  package var anonymousTemplates = false
  package var starterTemplates = true
  package var linkKey: String?
  package var pictureHosts = PictureHosts.none
  package var maxConnections = 1000
  package var networkConnections = 128
  package var headerTimeoutSeconds = 10
  /// Bytes per second.
  package var bodyMinRate = 1024
  package var requestTimeoutSeconds = 30
  package var keepaliveTimeoutSeconds = 30
  package var drainTimeoutSeconds = 20
  /// The size of the in-memory response cache.
  package var memoryCacheBytes = 64 << 20
  /// The size of the rendition cache, which is stored in the database.
  package var cacheBytes = 1 << 30
  /// Whether the `Accept` field selects the format of an image.
  package var negotiate = false
  /// The minimum free space on the data folder's disk. With less, the server takes no uploads and is not ready.
  package var diskFloorBytes = 64 << 20
  /// The file of the certificate chain in PEM. It and ``tlsKey`` must be set together.
  package var tlsCertificate: String?
  /// The file of the certificate's private key in PEM.
  package var tlsKey: String?
  package var corsOrigins = AllowedOrigins.none
  /// `nil` serves metrics as a route of the API.
  package var metricsAddress: HostAndPort?
  /// `nil` writes mails to a folder in the data folder.
  package var mailServer: SMTPServer?
  /// Whether users may send memes by mail.
  package var sharesByMail = true
  /// The sender of mails. `nil` uses an address of this machine, which is enough for mails in a folder.
  package var mailSender: EmailAddress?
  package var trashDays = 7
  /// The number of days that clients have to sync before deletions are forgotten.
  package var tombstoneDays = 30
  /// `nil` uses a folder in the data folder.
  package var backupFolder: String?
  /// 0 makes backups only on request.
  package var backupIntervalSeconds = 0
  package var backupKeepDays = 7
  package var backupKeepWeeks = 4
  package var backupKeepManual = 10
  /// A session ends after it was unused for this long.
  package var sessionIdleSeconds = 30 * 86_400
  /// A session ends after this long, even if it is in use.
  package var sessionMaxSeconds = 365 * 86_400

  /// The provider of single sign-ons; `nil` if there is none.
  package var oidcIssuer: OpenIDIssuer?
  package var oidcClientID: String?
  /// The file of the secret that the provider has for the client.
  package var oidcClientSecretFile: String?
  /// Separated by spaces.
  package var oidcScopes = "openid profile email"
  /// `nil` if the provider does not decide who is an admin.
  package var oidcAdminClaim: AdminClaim?
  /// `nil` uses the host of the issuer.
  package var oidcName: String?

  /// Whether rate limits are enforced.
  package var limitsRates = true
  /// Without trusted proxies, the client is always the other end of the connection.
  package var trustedProxies = TrustedProxies()
  /// The `max-age` of `Strict-Transport-Security`; 0 sends no such field.
  package var hstsSeconds = 0
  package var freeNetworks: [AddressRange] = []

  /// The quota that the first start chooses for each account.
  static let standardQuotaBytes = 2 << 30
  /// The sender without a mail server.
  static let standardMailSender = "mememe@localhost"

  package init() {}

  /// The scheme that the server speaks on its port.
  var scheme: String { tlsCertificate == nil ? "http" : "https" }

  /// Whether browsers reach the server through HTTPS, either its own or that of a proxy in front of it.
  var isReachedByHTTPS: Bool { (publicURL?.text ?? "\(scheme):").hasPrefix("https:") }

  /// The public URL of a server that listens on this port.
  func url(port: Int) -> String {
    publicURL?.text ?? "\(scheme)://\(Loopback.urlHost(for: host)):\(port)"
  }

  /// Reads the settings.
  ///
  /// - Parameters:
  ///   - environment: variables without the prefix `MEMEME_` are ignored, except for the account of AWS.
  ///   - flags: `--port 80` or `--port=80`. A flag takes precedence over its variable.
  package init(
    environment: [String: String], flags: [String]
  ) throws(SettingError) {
    for (variable, text) in environment.sorted(by: { $0.key < $1.key })
    where variable.hasPrefix(Setting.prefix) {
      guard let setting = Setting.all.first(where: { $0.variable == variable }) else {
        throw SettingError(name: variable, reason: "unknown setting")
      }
      try apply(setting, text, named: variable)
    }
    if let key = environment["AWS_ACCESS_KEY_ID"], !key.isEmpty,
      let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
    {
      awsAccount = S3Credentials(accessKey: key, secret: secret)
    }
    var rest = flags[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let setting = Setting.all.first(where: { $0.flag == parts[0] }) else {
        throw SettingError(name: String(parts[0]), reason: "unknown flag")
      }
      guard let text = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw SettingError(name: setting.flag, reason: "missing value")
      }
      try apply(setting, text, named: setting.flag)
    }
    if (tlsCertificate == nil) != (tlsKey == nil) {
      throw SettingError(
        name: tlsKey == nil ? "MEMEME_TLS_CERT" : "MEMEME_TLS_KEY",
        reason: "set the certificate and its key together")
    }
    try checkDatabase()
    try checkProvider()
    if mailServer != nil, mailSender == nil {
      throw SettingError(name: "MEMEME_MAIL_FROM", reason: "is required with MEMEME_SMTP_URL")
    }
  }

  private func checkDatabase() throws(SettingError) {
    guard objects != nil || objectsKeyFile == nil else {
      throw SettingError(name: "MEMEME_OBJECTS_KEY_FILE", reason: "is only for MEMEME_OBJECTS")
    }
    guard database != nil else {
      guard objects == nil else {
        throw SettingError(
          name: "MEMEME_OBJECTS",
          reason: "needs MEMEME_DATABASE: with SQLite, pictures stay in the data folder")
      }
      guard secretKeyFile == nil else {
        throw SettingError(
          name: "MEMEME_SECRET_KEY_FILE",
          reason: "is only for MEMEME_DATABASE; without it the key is secret-key in the data folder"
        )
      }
      return
    }
    guard backupIntervalSeconds == 0 else {
      throw SettingError(
        name: "MEMEME_BACKUP_INTERVAL",
        reason: "is not available with MEMEME_DATABASE; back up PostgreSQL with its own tools")
    }
  }

  /// Checks what a server needs, but no other command.
  ///
  /// Each server of a PostgreSQL database has a data folder of its own, so nothing that all must agree on can be there.
  func checkServing() throws(SettingError) {
    guard database != nil else { return }
    let shared = [
      ("MEMEME_SECRET_KEY_FILE", secretKeyFile != nil), ("MEMEME_ADMIN_TOKEN", adminToken != nil),
      ("MEMEME_SMTP_URL", mailServer != nil),
    ]
    for (name, isSet) in shared where !isSet {
      throw SettingError(name: name, reason: "is required with MEMEME_DATABASE")
    }
  }

  private mutating func apply(
    _ setting: Setting, _ text: String, named name: String
  ) throws(SettingError) {
    do { try setting.apply(&self, SettingText(text: text)) } catch {
      throw SettingError(name: name, reason: String(describing: error))
    }
  }
}

/// An invalid setting. It prevents the server from starting.
package struct SettingError: Error, CustomStringConvertible {
  /// The variable or flag as the operator wrote it. The value is left out, because it may be a secret.
  package let name: String
  package let reason: String

  package var description: String { "\(name): \(reason)" }
}

/// The URL by which clients reach the server: `http` or `https`, a host, and optionally a port and a path.
package struct PublicURL: Sendable, Equatable {
  /// The URL without a trailing slash.
  package let text: String
  /// The path without a trailing slash. URLs in responses begin with it.
  package let path: String
  /// Scheme, host, and the port unless it is the default of the scheme, in the form that browsers send.
  package let origin: String
}

/// An address to listen on.
package struct HostAndPort: Sendable, Equatable {
  package let host: String
  package let port: Int

  package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}
