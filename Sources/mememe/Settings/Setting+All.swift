import HTTP
import Memes

extension Setting {
  /// Settings on one subject, in the order of the help.
  package struct Topic: Sendable {
    package let title: String
    package let settings: [Setting]
  }

  /// All settings.
  package static let all = topics.flatMap(\.settings)

  package static let topics = [
    Topic(title: "Server", settings: server),
    Topic(title: "Access", settings: access),
    Topic(title: "Pictures", settings: pictures),
    Topic(title: "Storage", settings: storage),
    Topic(title: "PostgreSQL", settings: postgreSQL),
    Topic(title: "Deletion and backups", settings: retention),
    Topic(title: "Connections", settings: connections),
    Topic(title: "HTTPS and browsers", settings: browsers),
    Topic(title: "Mail", settings: mail),
    Topic(title: "Single sign-on", settings: singleSignOn),
    Topic(title: "Logs and metrics", settings: observation),
  ]

  private static let server: [Setting] = [
    .text(
      "HOST", \.host, values: "an address or a name",
      "The address or host name to listen on. The Docker image sets it to `0.0.0.0`."),
    .number(
      "PORT", \.port, 0...65_535, "",
      "The port to listen on. With 0, the server chooses a free port and logs it."),
    .text("DATA", \.dataFolder, values: "a path", "The data folder."),
    .custom(
      "PUBLIC_URL", \.publicURL, standard: .described("from `MEMEME_HOST` and `MEMEME_PORT`"),
      values: "an http or https URL",
      """
      The URL by which clients reach the server. Links that people share begin with it, and URLs in responses begin with \
      its path.
      """
    ) { try $0.publicURL() },
    .number(
      "DRAIN_TIMEOUT", \.drainTimeoutSeconds, 0...3600, "seconds",
      """
      The time for running requests to finish after SIGTERM or SIGINT. A second signal ends the server at once.
      """),
    .number(
      "MEMORY_CACHE_BYTES", \.memoryCacheBytes, 0...1 << 40, "bytes",
      "The size of the cache of responses in memory. Memes by address have a cache of at most 16 MiB of their own."
    ),
  ]

  private static let access: [Setting] = [
    .custom(
      "ADMIN_TOKEN", \.adminToken, standard: .described("made at the first start"),
      values: "16 to 512 ASCII characters without spaces",
      """
      The bearer token of the admin. Without this setting, the first start makes one, and stores it in `admin-token` in \
      the data folder.
      """
    ) { try $0.token() },
    .flag(
      "ANONYMOUS", \.anonymous,
      """
      Whether clients without a token can view and make memes. With `false`, only registration, sign-in, password \
      resets, confirmations of emails, the files of the web app, health checks, the API contract, problem pages and \
      signed addresses of memes need no token, and shared caches keep nothing else.
      """),
    .word(
      "REGISTRATION", \.registration,
      """
      Who can create an account. `open`: everyone. `invite`: only people with an invitation. `closed`: only the \
      operator, with `mememe user create`.
      """),
    .number(
      "MEMBER_INVITES", \.memberInvites, 0...100, "invitations",
      """
      The number of valid invitations that a member can have at the same time. With 0, only admins can invite.
      """),
    .word(
      "CONNECTIONS", \.connections,
      """
      Who can send events to other programs: `admins`, `members` (all accounts, each with up to 5 connections), or \
      `off`.
      """),
    .custom(
      "CONNECTIONS_ALLOW", \.connectionsAllow, standard: .described("none"),
      values: "addresses or ranges, separated by commas",
      """
      The private and local addresses to which events may be sent. The owners of connections can then reach \
      the services there.
      """
    ) { try $0.ranges() },
    .flag(
      "ANONYMOUS_TEMPLATES", \.anonymousTemplates,
      "Whether clients without an account can store templates."),
    .flag(
      "STARTER_TEMPLATES", \.starterTemplates,
      "Whether a server that never had a template adds sixteen at its start. Deleted ones do not come back."
    ),
    .custom(
      "LINK_KEY", \.linkKey, standard: .described("none"),
      values: "16 to 512 ASCII characters without spaces",
      """
      The key that signs the addresses of memes (`/images/…`). With it, or with `MEMEME_ANONYMOUS=false`, callers \
      without a token get only signed addresses drawn.
      """
    ) { try $0.token() },
    .custom(
      "PICTURE_HOSTS", \.pictureHosts, standard: .described("none"),
      values: "hosts, such as `example.org`, separated by commas",
      """
      The servers from which memes by address may have their pictures: \
      `/images/custom/hello.jpg?background=https://example.org/cat.jpg`. With a port, as in `example.org:8443`, also \
      over HTTP. Private and local addresses also need `MEMEME_CONNECTIONS_ALLOW`.
      """
    ) { try $0.pictureHosts() },
    .number(
      "SESSION_IDLE", \.sessionIdleSeconds, 60...1 << 30, "seconds",
      "The time after which an unused session ends."),
    .number(
      "SESSION_MAX", \.sessionMaxSeconds, 60...1 << 30, "seconds",
      "The time after which a session ends, even if it is in use."),
    .custom(
      "RATE_LIMITS", \.limitsRates, standard: .value(Settings().limitsRates ? "on" : "off"),
      values: "`on` or `off`",
      """
      Whether the server limits the calls of each account and network. `off` is for tests, measurements, and servers \
      whose proxy limits requests.
      """
    ) { try $0.onOrOff() },
    .custom(
      "TRUSTED_PROXIES", \.trustedProxies, standard: .described("none"),
      values: "addresses or ranges, separated by commas",
      """
      The proxies in front of the server. If a request comes from one of them, the server reads the client's address \
      from `X-Forwarded-For`.
      """
    ) { TrustedProxies(try $0.ranges()) },
    .custom(
      "FREE_NETWORKS", \.freeNetworks, standard: .described("none"),
      values: "addresses or ranges, separated by commas",
      "Networks that are not charged for drawing. Do not name a proxy here."
    ) { try $0.ranges() },
  ]

  private static let pictures: [Setting] = [
    .number(
      "MAX_UPLOAD_BYTES", \.maxUploadBytes, 1024...1 << 30, "bytes",
      "The maximum size of a picture's file."),
    .number(
      "MAX_PIXELS", \.maxPixels, 1...1_000_000_000, "pixels",
      """
      The maximum of width × height × frames of a picture. The server reads them from the header before it decodes \
      anything. A picture at the limit can take 16 bytes for each pixel.
      """),
    .number(
      "MAX_FRAMES", \.maxFrames, 1...10_000, "frames",
      "The maximum number of frames of a moving picture."),
    .custom(
      "DECODERS", \.decoders, standard: .described("all formats that are safe"),
      values: "`jpeg`, `png`, `gif`, `webp`, `avif`, `heic`, separated by commas",
      """
      The formats that the server reads. By default, AVIF and HEIC are included if this machine can read them and \
      seccomp confines the processes that decode them; the server logs the formats at its start. It does not start if \
      a format that you name is not available.
      """
    ) { try $0.words() },
    .word(
      "CONFINE", \.confinement,
      """
      The confinement of the processes that draw. `require`: the server does not start without seccomp. `try`: as far \
      as the system permits. `off`: none.
      """),
    .number(
      "RENDER_MAX_EDGE", \.renderMaxEdge, MaxEdge.range, "pixels",
      """
      The maximum longer edge of a meme whose request has no `maxEdge`. Pictures are never enlarged.
      """),
    .optionalNumber(
      "RENDER_WORKERS", \.renderWorkers, standard: "one for each core", 1...256, "pictures",
      "How many pictures are drawn at the same time."),
    .optionalNumber(
      "RENDER_MEMORY", \.renderMemory, standard: "half of the available memory",
      64 << 20...1 << 50, "bytes",
      """
      The memory of all pictures that are drawn at the same time. The default is half of the memory of the machine or \
      of the service's control group. Pictures that do not fit wait; one that needs more than the limit is drawn \
      alone. Pictures of less than 64 MiB are not counted.
      """),
    .number(
      "RENDER_QUEUE", \.renderQueue, 0...65_536, "pictures",
      "How many pictures can wait to be drawn. Further ones get 503."),
    .number(
      "RENDER_TIMEOUT", \.renderTimeoutSeconds, 1...3600, "seconds",
      "The time for a picture to wait and be drawn."),
    .custom(
      "FONTS", \.fontFolder, standard: .described("none"), values: "an existing folder",
      """
      A folder with additional fonts. The server reads it at its start, and lists each font family in `GET /fonts`. \
      Linux only.
      """
    ) { try $0.folder() },
    .flag(
      "NEGOTIATE", \.negotiate,
      "Whether images are sent as AVIF or WebP to clients that name these in `Accept`."),
  ]

  private static let storage: [Setting] = [
    .optionalNumber(
      "QUOTA_BYTES", \.quotaBytes, standard: "\(Settings.standardQuotaBytes >> 30) GiB",
      0...1 << 50, "bytes",
      """
      The storage of each account: memes, including those in the trash, templates and uploads. More gets 507 \
      `quota-exceeded`. 0 is no limit. The first start chooses the default; an upgrade that finds more data chooses no \
      limit.
      """),
    .optionalNumber(
      "ANONYMOUS_BYTES", \.anonymousBytes, standard: "a tenth of the disk", 0...1 << 50, "bytes",
      """
      The storage of all data without an account. 0 is no limit. The first start chooses the default; an upgrade that \
      finds more data chooses no limit.
      """),
    .number(
      "ANONYMOUS_DAY_BYTES", \.anonymousDayBytes, 0...1 << 40, "bytes",
      """
      How much a network can store in a day without an account. 0 is no limit. Networks in `MEMEME_FREE_NETWORKS` and \
      the machine itself have no limit, nor has any network with `MEMEME_RATE_LIMITS=off`.
      """),
    .number(
      "CACHE_BYTES", \.cacheBytes, 0...1 << 50, "bytes",
      """
      The size of the cache of images in other sizes and formats, which is in the database. The server removes the \
      images that were not used for the longest time. With 0, it makes each image again.
      """),
    .number(
      "DISK_FLOOR_BYTES", \.diskFloorBytes, 0...1 << 50, "bytes",
      "With less free space, uploads get 507 and `/readyz` returns 503. Deletions can use the rest."
    ),
  ]

  private static let postgreSQL: [Setting] = [
    .custom(
      "DATABASE", \.database, standard: .described("SQLite in the data folder"),
      values: "a URI such as `postgres://mememe@db.example/mememe`",
      """
      A PostgreSQL database, version 15 or later, which several servers may share. The URI is \
      [libpq's](https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING); keep the password in a file that \
      `PGPASSFILE` names. A host other than this machine needs `sslmode=verify-full`, which is the default here, and \
      `sslrootcert`, a file with its certificate authority: `?sslrootcert=/etc/ssl/certs/ca-certificates.crt`.
      """
    ) { try $0.serverAddress() },
    .number(
      "DATABASE_CONNECTIONS", \.databaseConnections, 1...1000, "connections",
      "The connections of this server to PostgreSQL, besides one for the changes of other servers."),
    .custom(
      "SECRET_KEY_FILE", \.secretKeyFile, standard: .described("none"), values: "a path",
      """
      A file with 32 random bytes, the same on all servers of a PostgreSQL database, and readable only by its owner, \
      which must be the user of the server. Delete tokens are made with it. Required with `MEMEME_DATABASE`.
      """
    ) { try $0.path() },
    .custom(
      "SERVER_NAME", \.serverName, standard: .described("the name of the machine"),
      values: "a name",
      "The name of this server in the table `servers` of PostgreSQL."
    ) { try $0.nonEmpty() },
    .custom(
      "OBJECTS", \.objects, standard: .described("the database"),
      values: "such as `s3://bucket/prefix?endpoint=https://s3.example&region=eu-1&path-style=yes`",
      """
      A bucket for the bytes of pictures. `endpoint` is AWS by default, `region` is `us-east-1`; with `path-style=yes`, \
      the path of a URL names the bucket and not its host. The endpoint must have https, unless it is on this machine or \
      `insecure=yes` is added. The first start with a database chooses its bucket for good.
      """
    ) { try $0.bucket() },
    .custom(
      "OBJECTS_KEY_FILE", \.objectsKeyFile,
      standard: .described("`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`"), values: "a path",
      """
      A file with two lines, the access key of the object store and its secret, readable only by its owner.
      """
    ) { try $0.path() },
    .number(
      "OBJECT_GRACE", \.objectGraceSeconds, 60...86_400, "seconds",
      "How long a deleted picture stays in the object store, for requests that are about to read it."
    ),
  ]

  private static let retention: [Setting] = [
    .number(
      "TRASH_DAYS", \.trashDays, 0...36_500, "days",
      """
      How long a deleted meme can be restored. After that, its bytes are overwritten. With 0, they are overwritten \
      within minutes.
      """),
    .number(
      // Not shorter than the lifetime of an Idempotency-Key: a repeated request must not make a deleted meme again.
      "TOMBSTONE_DAYS", \.tombstoneDays, 1...36_500, "days",
      """
      How long deletions stay on record for apps that are offline. The id of a deleted meme stays in use for this time.
      """),
    .custom(
      "BACKUPS", \.backupFolder, standard: .described("`backups` in the data folder"),
      values: "a path",
      "The folder for backups, best on another disk. Two servers must not share it."
    ) { try $0.path() },
    .number(
      "BACKUP_INTERVAL", \.backupIntervalSeconds, 0...1 << 30, "seconds",
      """
      The time between two backups, such as 86400, counted from the newest one. With 0, the server makes backups only \
      on request.
      """),
    .number(
      "BACKUP_KEEP_DAYS", \.backupKeepDays, 0...36_500, "days",
      """
      For this number of days (UTC) with backups, the server keeps the newest scheduled backup of each, else the newest \
      one made by hand. It always keeps the newest of all.
      """),
    .number(
      "BACKUP_KEEP_WEEKS", \.backupKeepWeeks, 0...5200, "weeks",
      """
      For this number of weeks with backups, the server keeps one backup of each in the same way. It removes the others \
      when a new backup is complete.
      """),
    .number(
      "BACKUP_KEEP_MANUAL", \.backupKeepManual, 0...10_000, "backups",
      "How many backups the server keeps that were made by hand or by `mememe backup`."),
  ]

  private static let connections: [Setting] = [
    .number(
      "MAX_CONNECTIONS", \.maxConnections, 1...65_536, "connections",
      """
      The maximum number of open connections. Each of the last 32 closes the one that was idle longest. Further ones \
      get 503, or are closed if the server speaks HTTPS. A lower limit of open files lowers this number.
      """),
    .number(
      "NETWORK_CONNECTIONS", \.networkConnections, 1...65_536, "connections",
      """
      How many of them one network can have. The next one closes an idle connection of the same network, or is \
      refused. A /48 of IPv6 addresses can have four times as many. The machine itself and the proxies in \
      `MEMEME_TRUSTED_PROXIES` have no such limit.
      """),
    .number(
      "HEADER_TIMEOUT", \.headerTimeoutSeconds, 1...3600, "seconds",
      "The time for the head of a request to arrive."),
    .number(
      "BODY_MIN_RATE", \.bodyMinRate, 1...1 << 30, "bytes per second",
      """
      The server disconnects a client that sends or receives a body more slowly for ten seconds.
      """),
    .number(
      "REQUEST_TIMEOUT", \.requestTimeoutSeconds, 1...3600, "seconds",
      """
      The time from the complete request to its response; exports have no such limit. Set it higher than \
      `MEMEME_RENDER_TIMEOUT`, whose response is more precise.
      """),
    .number(
      "KEEPALIVE_TIMEOUT", \.keepaliveTimeoutSeconds, 1...3600, "seconds",
      "How long an idle connection stays open for the next request."),
  ]

  private static let browsers: [Setting] = [
    .custom(
      "TLS_CERT", \.tlsCertificate, standard: .described("none"), values: "a path",
      """
      The file of the certificate with its chain, in PEM. With it and the key, the server speaks only HTTPS. It reads \
      both files at its start.
      """
    ) { try $0.nonEmpty() },
    .custom(
      "TLS_KEY", \.tlsKey, standard: .described("none"), values: "a path",
      "The file of the certificate's private key, in PEM, without a password."
    ) { try $0.nonEmpty() },
    .number(
      "HSTS", \.hstsSeconds, 0...1 << 30, "seconds",
      """
      How long browsers use only HTTPS (`Strict-Transport-Security`), on every port of the host. With 0, the server \
      does not send the field.
      """),
    .custom(
      "CORS_ORIGINS", \.corsOrigins, standard: .described("none"),
      values: "origins, separated by commas, or `*`",
      "The origins whose pages can read responses: `https://a.example,https://b.example`."
    ) { try $0.origins() },
  ]

  private static let mail: [Setting] = [
    .custom(
      "SMTP_URL", \.mailServer, standard: .described("none"), values: "an smtp or smtps URL",
      """
      The mail server: `smtp://` (port 587, STARTTLS if the server offers it) or `smtps://` (port 465). Put a \
      percent-encoded `user:password@` before the host if the server requires it; STARTTLS is then required, unless \
      the server is this machine. Without this setting, mails are files in `outbox` in the data folder.
      """
    ) { try $0.mailServer() },
    .custom(
      "MAIL_FROM", \.mailSender, standard: .described("`\(Settings.standardMailSender)`"),
      values: "an email address",
      "The sender of mails. Required with `MEMEME_SMTP_URL`."
    ) { try $0.emailAddress() },
    .flag(
      "SHARE_MAIL", \.sharesByMail,
      "Signed-in users can send memes by mail. With `MEMEME_SMTP_URL`, they must have confirmed their email."
    ),
  ]

  private static let observation: [Setting] = [
    .word(
      "LOG_LEVEL", \.logLevel, "The server logs lines of this level and above it."),
    .word("LOG_FORMAT", \.logFormat, "The format of log lines."),
    .custom(
      "METRICS_ADDRESS", \.metricsAddress, standard: .described("the port of the API"),
      values: "host:port",
      "A separate address for `/metrics`, without a token."
    ) { try $0.hostAndPort() },
  ]
}
