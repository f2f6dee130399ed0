package import HTTP
package import Mail
package import Memes
package import Rendering

/// What an operator can set: environment variables with the prefix `MEMEME_`, and the same as flags.
package struct Settings: Sendable {
  package var host = "127.0.0.1"
  /// 0: any free port.
  package var port = 8080
  package var dataFolder = "./data"
  /// `nil`: the data folder's `admin-token`, made on the first start.
  package var adminToken: String?
  /// `nil`: made from host and port.
  package var publicURL: PublicURL?
  package var anonymous = true
  package var maxUploadBytes = 33_554_432
  package var maxPixels = 100_000_000
  package var maxFrames = 200
  /// `nil`: all that this machine can read, AVIF and HEIC if what decodes them is confined.
  package var decoders: [PictureFormat]?
  package var confinement = Confinement.Demand.try
  package var renderMaxEdge = 2048
  /// `nil`: as many as there are cores.
  package var renderWorkers: Int?
  /// Of pictures that are drawn at the same time. `nil`: half of the machine's, or of what the service may have.
  package var renderMemory: Int?
  package var renderQueue = 256
  package var renderTimeoutSeconds = 20
  /// `nil`: nothing is added to the machine's fonts.
  package var fontFolder: String?
  package var logLevel = LogLevel.info
  package var logFormat = LogFormat.text
  /// `nil`: as the first start has chosen.
  package var quotaBytes: Int?
  package var anonymousBytes: Int?
  package var anonymousDayBytes = 256 << 20
  package var anonymousTemplates = false
  package var maxConnections = 1000
  package var networkConnections = 128
  package var headerTimeoutSeconds = 10
  /// Bytes a second.
  package var bodyMinRate = 1024
  package var requestTimeoutSeconds = 30
  package var keepaliveTimeoutSeconds = 30
  package var drainTimeoutSeconds = 20
  /// Of answers that are kept ready in memory.
  package var memoryCacheBytes = 64 << 20
  /// Of pictures in other sizes and kinds of file, which are kept in the database.
  package var cacheBytes = 1 << 30
  /// Whether `Accept` says which kind of file an image is.
  package var negotiate = false
  /// How many bytes must be free on the data folder's disk for the server to call itself ready.
  package var diskFloorBytes = 64 << 20
  /// The file of the certificate chain in PEM. It and ``tlsKey`` are set together or not at all.
  package var tlsCertificate: String?
  /// The file of the certificate's private key in PEM.
  package var tlsKey: String?
  package var corsOrigins = AllowedOrigins.none
  /// `nil`: metrics are a route of the API.
  package var metricsAddress: HostAndPort?
  /// `nil`: mail goes to a folder in the data folder.
  package var mailServer: SMTPServer?
  /// Who mails are from. `nil`: this machine, which will do for mails in a folder.
  package var mailSender: EmailAddress?
  package var trashDays = 7
  /// For so long clients that were away are told what was deleted.
  package var tombstoneDays = 30
  /// `nil`: a folder in the data folder.
  package var backupFolder: String?
  /// 0: backups are made only when somebody asks.
  package var backupIntervalSeconds = 0
  package var backupKeepDays = 7
  package var backupKeepWeeks = 4
  package var backupKeepManual = 10
  /// A session that nobody uses for so long is over.
  package var sessionIdleSeconds = 30 * 86_400
  /// A session is over then, however much it is used.
  package var sessionMaxSeconds = 365 * 86_400

  /// Whether anybody is told that they ask too often.
  package var limitsRates = true
  /// None: the client is the other end of the connection, whatever the request says.
  package var trustedProxies = TrustedProxies()
  /// Of `Strict-Transport-Security`; 0 sends none.
  package var hstsSeconds = 0
  package var freeNetworks: [AddressRange] = []

  package init() {}

  /// What the server speaks at its port.
  var scheme: String { tlsCertificate == nil ? "http" : "https" }

  /// Whether people's browsers reach it by HTTPS: by its own, or by that of a proxy in front.
  var isReachedByHTTPS: Bool { (publicURL?.text ?? "\(scheme):").hasPrefix("https:") }

  /// Where people reach a server that listens on this port.
  func url(port: Int) -> String {
    publicURL?.text ?? "\(scheme)://\(Loopback.urlHost(for: host)):\(port)"
  }

  /// Reads the settings.
  ///
  /// - Parameters:
  ///   - environment: variables without the prefix `MEMEME_` are somebody else's and left alone.
  ///   - flags: `--port 80` or `--port=80`; a flag goes before its variable.
  package init(
    environment: [String: String], flags: [String]
  ) throws(SettingError) {
    for (variable, text) in environment.sorted(by: { $0.key < $1.key })
    where variable.hasPrefix(Setting.prefix) {
      guard let setting = Setting.all.first(where: { $0.variable == variable }) else {
        throw SettingError(name: variable, reason: "there is no such setting")
      }
      try apply(setting, text, named: variable)
    }
    var rest = flags[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let setting = Setting.all.first(where: { $0.flag == parts[0] }) else {
        throw SettingError(name: String(parts[0]), reason: "there is no such flag")
      }
      guard let text = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw SettingError(name: setting.flag, reason: "a value must follow")
      }
      try apply(setting, text, named: setting.flag)
    }
    if (tlsCertificate == nil) != (tlsKey == nil) {
      throw SettingError(
        name: tlsKey == nil ? "MEMEME_TLS_CERT" : "MEMEME_TLS_KEY",
        reason: "the certificate and its key are set together")
    }
    if mailServer != nil, mailSender == nil {
      throw SettingError(name: "MEMEME_MAIL_FROM", reason: "is needed where MEMEME_SMTP_URL is set")
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

/// A setting that stops the start.
package struct SettingError: Error, CustomStringConvertible {
  /// The variable or flag as the operator wrote it. Its value is not repeated: it may be a secret.
  package let name: String
  package let reason: String

  package var description: String { "\(name): \(reason)" }
}

/// Where clients see the server: `http` or `https`, a host, and perhaps a port and a path.
package struct PublicURL: Sendable, Equatable {
  /// Without a slash at the end.
  package let text: String
  /// The path, without a slash at the end: what addresses in answers begin with.
  package let path: String
  /// Scheme, host, and a port that is not the scheme's own, as browsers write it.
  package let origin: String
}

/// An address to listen at.
package struct HostAndPort: Sendable, Equatable {
  package let host: String
  package let port: Int

  package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}
