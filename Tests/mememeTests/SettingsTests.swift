import Foundation
import HTTP
import Memes
import OpenID
import PostgreSQL
import Rendering
import Testing
import mememe

struct SettingsTests {
  private func failure(_ environment: [String: String] = [:], _ flags: String...) -> String? {
    do {
      _ = try Settings(environment: environment, flags: flags)
      return nil
    } catch {
      return String(describing: error)
    }
  }

  @Test func `unset settings have the documented defaults`() throws {
    let settings = try Settings(environment: ["PATH": "/bin"], flags: [])
    #expect(settings.host == "127.0.0.1")
    #expect(settings.port == 8080)
    #expect(settings.maxUploadBytes == 33_554_432)
    #expect(settings.renderMaxEdge == 2048)
    #expect(settings.renderWorkers == nil)
    #expect(settings.decoders == nil)
    #expect(settings.confinement == .try)
    #expect(settings.limitsRates && settings.trustedProxies.isEmpty)
  }

  @Test func `docs/settings.md is what mememe help --settings --markdown prints`() throws {
    let page = URL(filePath: #filePath).appending(path: "../../../docs/settings.md")
      .standardizedFileURL
    let isCurrent = try String(contentsOf: page, encoding: .utf8) == Setting.markdown
    #expect(isCurrent, "run mememe help --settings --markdown >docs/settings.md")
  }

  @Test func `every setting has one topic, and its default is a value that it accepts`() throws {
    #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
    for setting in Setting.all {
      guard case .value(let text, _) = setting.standard else { continue }
      _ = try Settings(environment: [setting.variable: text], flags: [])
    }
  }

  @Test func `a flag overrides its variable, with a space or an equals sign`() throws {
    let environment = ["MEMEME_PORT": "1", "MEMEME_LOG_FORMAT": "json"]
    let settings = try Settings(environment: environment, flags: ["--port", "2", "--host=::1"])
    #expect(settings.port == 2)
    #expect(settings.host == "::1")
    #expect(settings.logFormat == .json)
  }

  @Test func `every setting works as a flag and as a variable`() throws {
    let values = [
      "HOST": "::", "PORT": "0", "DATA": "/tmp/x", "ADMIN_TOKEN": "0123456789abcdef",
      "PUBLIC_URL": "https://example.org/memes/", "ANONYMOUS": "false",
      "MAX_UPLOAD_BYTES": "2048", "MAX_PIXELS": "5", "RENDER_MAX_EDGE": "16",
      "RENDER_WORKERS": "3", "RENDER_QUEUE": "0", "RENDER_MEMORY": "67108864",
      "RENDER_TIMEOUT": "1", "LOG_LEVEL": "error",
      "LOG_FORMAT": "json", "MAX_CONNECTIONS": "2000", "NETWORK_CONNECTIONS": "200",
      "HEADER_TIMEOUT": "5",
      "BODY_MIN_RATE": "2048", "REQUEST_TIMEOUT": "60", "KEEPALIVE_TIMEOUT": "75",
      "DRAIN_TIMEOUT": "0", "MEMORY_CACHE_BYTES": "0", "DISK_FLOOR_BYTES": "1", "TLS_CERT": "c.pem",
      "TLS_KEY": "k.pem", "CORS_ORIGINS": "https://a.example, http://127.0.0.1:3000",
      "METRICS_ADDRESS": "[::1]:9090", "TRASH_DAYS": "30", "TOMBSTONE_DAYS": "40", "FONTS": "/tmp",
      "DECODERS": "png, avif", "CONFINE": "require", "MAX_FRAMES": "7", "CACHE_BYTES": "9",
      "NEGOTIATE": "true",
      "SMTP_URL": "smtps://me:secret@mail.example", "MAIL_FROM": "memes@example.org",
      "SHARE_MAIL": "false",
      "OIDC_ISSUER": "https://login.example/realms/x", "OIDC_CLIENT_ID": "mememe",
      "OIDC_CLIENT_SECRET_FILE": "/etc/mememe/oidc", "OIDC_SCOPES": "openid  groups",
      "OIDC_ADMIN_CLAIM": "groups=admins", "OIDC_NAME": "Login",
      "SESSION_IDLE": "3600", "SESSION_MAX": "86400", "RATE_LIMITS": "off",
      "FREE_NETWORKS": "10.0.0.0/8", "HSTS": "31536000", "QUOTA_BYTES": "1000",
      "ANONYMOUS_BYTES": "0",
      "ANONYMOUS_DAY_BYTES": "2000", "ANONYMOUS_TEMPLATES": "true",
      "STARTER_TEMPLATES": "false", "LINK_KEY": "a-key-of-16-bytes",
      "PICTURE_HOSTS": "example.org, cdn.example:8443",
      "REGISTRATION": "invite", "MEMBER_INVITES": "3", "CONNECTIONS": "members",
      "CONNECTIONS_ALLOW": "127.0.0.1, 10.0.0.0/8",
      "TRUSTED_PROXIES": "127.0.0.1, 2001:db8::/32",
      "BACKUPS": "/mnt/backups//",
      "DATABASE": "postgres://mememe@/memes?host=/run/postgresql",
      "DATABASE_CONNECTIONS": "12", "SECRET_KEY_FILE": "/etc/mememe/key", "SERVER_NAME": "one",
      "OBJECTS": "s3://memes/a?endpoint=http://127.0.0.1:9000&path-style=yes",
      "OBJECTS_KEY_FILE": "/etc/mememe/objects", "OBJECT_GRACE": "60",
      "BACKUP_INTERVAL": "0", "BACKUP_KEEP_DAYS": "3", "BACKUP_KEEP_WEEKS": "0",
      "BACKUP_KEEP_MANUAL": "2",
    ]
    #expect(Set(Setting.all.map(\.name)) == Set(values.keys))
    let environment = Dictionary(
      uniqueKeysWithValues: values.map { ("MEMEME_" + $0.key, $0.value) })
    let flags = Setting.all.flatMap { [$0.flag, values[$0.name] ?? ""] }
    for settings in [
      try Settings(environment: environment, flags: []),
      try Settings(environment: [:], flags: flags),
    ] {
      #expect(settings.publicURL?.text == "https://example.org/memes")
      #expect(settings.publicURL?.path == "/memes")
      #expect((settings.registration, settings.memberInvites) == (.invite, 3))
      #expect(settings.connections == .members && settings.connectionsAllow.count == 2)
      #expect(settings.pictureHosts == PictureHosts("cdn.example:8443,example.org"))
      #expect(settings.backupFolder == "/mnt/backups")
      #expect(settings.database?.description == "/run/postgresql/memes")
      #expect((settings.databaseConnections, settings.serverName) == (12, "one"))
      #expect(settings.secretKeyFile == "/etc/mememe/key")
      #expect(
        (settings.backupKeepDays, settings.backupKeepWeeks, settings.backupKeepManual) == (3, 0, 2))
      #expect(settings.sessionIdleSeconds == 3600)
      #expect(settings.sessionMaxSeconds == 86_400)
      #expect(settings.anonymous == false)
      #expect(!settings.limitsRates)
      let proxies = ["127.0.0.1", "2001:db8::/32"].compactMap(AddressRange.init)
      #expect(settings.trustedProxies == TrustedProxies(proxies))
      #expect(settings.hstsSeconds == 31_536_000)
      #expect((settings.quotaBytes, settings.anonymousBytes) == (1000, 0))
      #expect((settings.anonymousDayBytes, settings.anonymousTemplates) == (2000, true))
      #expect(settings.freeNetworks == ["10.0.0.0/8"].compactMap(AddressRange.init))
      #expect(settings.decoders == [.png, .avif])
      #expect(settings.confinement == .require)
      #expect(settings.maxFrames == 7)
      #expect(settings.mailServer != nil && settings.mailSender?.text == "memes@example.org")
      #expect(!settings.sharesByMail)
      #expect(settings.oidcIssuer?.text == "https://login.example/realms/x")
      #expect(settings.oidcClientID == "mememe" && settings.oidcName == "Login")
      #expect(settings.oidcClientSecretFile == "/etc/mememe/oidc")
      #expect(settings.oidcScopes == "openid groups")
      #expect(settings.oidcAdminClaim?.value == "admins")
      #expect(settings.renderQueue == 0)
      #expect(settings.renderMemory == 64 << 20)
      #expect(settings.logLevel == .error)
      #expect(settings.corsOrigins == .listed(["https://a.example", "http://127.0.0.1:3000"]))
      #expect(settings.metricsAddress == HostAndPort(host: "::1", port: 9090))
      #expect(settings.tlsKey == "k.pem")
      #expect(settings.trashDays == 30 && settings.tombstoneDays == 40)
      #expect(settings.fontFolder == "/tmp")
      #expect(settings.cacheBytes == 9)
      #expect(settings.negotiate)
    }
  }

  @Test(arguments: [
    ("MEMEME_PROT", "1"), ("MEMEME_PORT", "65536"), ("MEMEME_PORT", "-1"), ("MEMEME_PORT", ""),
    ("MEMEME_ANONYMOUS", "yes"), ("MEMEME_LOG_LEVEL", "loud"), ("MEMEME_ADMIN_TOKEN", "short"),
    ("MEMEME_ADMIN_TOKEN", "has a space in it and is long"), ("MEMEME_PUBLIC_URL", "example.org"),
    ("MEMEME_PUBLIC_URL", "ftp://example.org"), ("MEMEME_PUBLIC_URL", "http://example.org:99999"),
    ("MEMEME_PUBLIC_URL", "https://example.org:0"), ("MEMEME_MAX_PIXELS", "1e6"),
    ("MEMEME_MAX_FRAMES", "0"), ("MEMEME_DECODERS", ""), ("MEMEME_DECODERS", "png,"),
    ("MEMEME_DECODERS", "png,svg"), ("MEMEME_CONFINE", "yes"),
    ("MEMEME_TRASH_DAYS", "-1"), ("MEMEME_TOMBSTONE_DAYS", "0"), ("MEMEME_TLS_CERT", "alone.pem"),
    ("MEMEME_TLS_KEY", "alone.pem"),
    ("MEMEME_CORS_ORIGINS", "https://a.example/path"), ("MEMEME_CORS_ORIGINS", "a.example"),
    ("MEMEME_CORS_ORIGINS", ""), ("MEMEME_METRICS_ADDRESS", "9090"),
    ("MEMEME_METRICS_ADDRESS", "::1:9090"), ("MEMEME_METRICS_ADDRESS", ":9090"),
    ("MEMEME_RATE_LIMITS", "true"), ("MEMEME_RATE_LIMITS", ""), ("MEMEME_TRUSTED_PROXIES", ""),
    ("MEMEME_TRUSTED_PROXIES", "proxy.example"), ("MEMEME_TRUSTED_PROXIES", "10.0.0.0/40"),
    ("MEMEME_TRUSTED_PROXIES", "127.0.0.1,"), ("MEMEME_BACKUPS", ""),
    ("MEMEME_DATABASE", "mysql://h/d"), ("MEMEME_DATABASE", "postgres://h/%zz"),
    ("MEMEME_DATABASE_CONNECTIONS", "0"), ("MEMEME_SECRET_KEY_FILE", "/key"),
    ("MEMEME_BACKUP_INTERVAL", "-1"), ("MEMEME_BACKUP_KEEP_DAYS", "x"),
    ("MEMEME_BACKUP_KEEP_WEEKS", "1000000"),
  ])
  func `unknown and invalid settings are named`(name: String, value: String) {
    #expect(failure([name: value])?.hasPrefix("\(name): ") == true)
  }

  @Test(arguments: [
    ("https://mémes.example", "https://xn--mmes-bpa.example", "https://xn--mmes-bpa.example"),
    (
      "https://MÉMES.example:8443/Ä/", "https://xn--mmes-bpa.example:8443/%C3%84",
      "https://xn--mmes-bpa.example:8443"
    ),
    ("https://Memes.Example:443/Part", "https://memes.example:443/Part", "https://memes.example"),
    ("http://[::1]:8080", "http://[::1]:8080", "http://[::1]:8080"),
  ])
  func `the public URL is in the form that browsers send`(
    written: String, text: String, origin: String
  ) throws {
    let url = try Settings(environment: ["MEMEME_PUBLIC_URL": written], flags: []).publicURL
    #expect(url?.text == text)
    #expect(url?.origin == origin)
  }

  @Test func `origins with other letters than ASCII are those that browsers send`() throws {
    let origins = try Settings(
      environment: ["MEMEME_CORS_ORIGINS": "https://mémes.example"], flags: []
    ).corsOrigins
    #expect(origins == .listed(["https://xn--mmes-bpa.example"]))
  }

  @Test func `backups of a PostgreSQL database are not the server's`() {
    let database = ["MEMEME_DATABASE": "postgres:///memes"]
    #expect(failure(database) == nil)
    #expect(
      failure(database.merging(["MEMEME_BACKUP_INTERVAL": "3600"]) { $1 })?
        .hasPrefix("MEMEME_BACKUP_INTERVAL: is not available") == true)
  }

  @Test func `an error message does not repeat a secret`() {
    #expect(failure(["MEMEME_DATABASE": "postgres://me:secret@h/%zz"])?.contains("secret") == false)
    #expect(failure(["MEMEME_ADMIN_TOKEN": "tooshort"])?.contains("tooshort") == false)
  }

  @Test func `invalid flags are rejected`() {
    #expect(failure([:], "--prot", "1") != nil)
    #expect(failure([:], "--port") == "--port: missing value")
    #expect(failure([:], "--port=x") != nil)
  }
}
