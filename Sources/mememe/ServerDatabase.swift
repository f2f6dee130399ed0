import Foundation
import Memes
import PostgreSQL
import SQL
import SQLite
import Services
import Storage

/// The database of a running server.
enum ServerDatabase: Sendable {
  /// A file in the data folder.
  case file(SQLiteDatabase)
  /// PostgreSQL, which other servers may use too.
  case shared(SharedDatabase)

  /// The database as the stores use it.
  var any: any Database {
    switch self {
    case .file(let database): database
    case .shared(let shared): shared.stored
    }
  }

  /// The object store with the pictures; `nil` if they are in the database.
  var objects: SharedObjects? {
    switch self {
    case .file: nil
    case .shared(let shared): shared.objects
    }
  }

  func close() async {
    switch self {
    case .file(let database): await database.close()
    case .shared(let shared): shared.close()
    }
  }
}

/// A database that a command uses beside running servers.
enum GuestDatabase {
  case file(SQLiteDatabase)
  case shared(PostgreSQLDatabase, Blobs)

  /// Opens the database for accounts, without its object store. Does not migrate the database: other versions are
  /// rejected.
  ///
  /// - Throws: ``NoDatabase``, ``UnusableDatabase``, ``UnusableServer``.
  init(_ settings: Settings) throws {
    if let address = settings.database {
      self = .shared(try Server.connect(address, connections: 2), Blobs())
    } else {
      let path = settings.dataFolder
      try NoDatabase.check(path)
      self = .file(try MemeDatabase.openAsGuest(at: path, migrations: Server.migrations))
    }
  }

  /// Opens the database with its object store.
  ///
  /// - Throws: ``NoDatabase``, ``UnusableDatabase``, ``UnusableServer``, and the errors of ``SharedObjects``.
  init(withPictures settings: Settings) async throws {
    guard let address = settings.database else {
      self = try Self(settings)
      return
    }
    let (database, blobs) = try await Server.connectWithObjects(settings, address, connections: 2)
    self = .shared(database, blobs)
  }

  /// Opens the database for a repair, which keeps servers from it.
  ///
  /// - Throws: ``UnusableDatabase``, ``UnusableServer``, and the errors of ``SharedObjects``.
  init(repairing settings: Settings, _ access: ExclusiveAccess) async throws {
    switch access {
    case .folder(let folder):
      self = .file(try MemeDatabase.open(in: folder, migrations: Server.migrations, keepingIn: nil))
    case .shared(let lock):
      let database = try MemeDatabase.openAsGuest(
        lock.address, migrations: Server.serverMigrations, connections: 1,
        statementTimeout: CheckedDatabase.statementTimeout)
      do {
        self = .shared(database, try await SharedObjects.blobs(settings, of: database))
      } catch {
        database.close()
        throw error
      }
    }
  }

  var any: any Database {
    switch self {
    case .file(let database): database
    case .shared(let database, let blobs): ObjectDatabase(database, blobs)
    }
  }

  func close() async {
    switch self {
    case .file(let database): await database.close()
    case .shared(let database, _): database.close()
    }
  }
}

extension Server {
  /// Connects for a command, which does not migrate the database.
  static func connect(
    _ address: ServerAddress, connections: Int
  ) throws(UnusableServer) -> PostgreSQLDatabase {
    try MemeDatabase.openAsGuest(
      address, migrations: serverMigrations, connections: connections)
  }
}

/// Why a command does nothing with PostgreSQL.
struct NotForServers: Error, CustomStringConvertible {
  /// What to do instead.
  let instead: String

  var description: String { "not available with MEMEME_DATABASE: \(instead)" }

  /// - Throws: if the settings name a PostgreSQL database.
  static func check(_ settings: Settings, instead: String) throws(NotForServers) {
    if settings.database != nil { throw NotForServers(instead: instead) }
  }
}

/// The clocks of this machine and of the database differ too much.
///
/// Not a ``SettingError``: systemd does not repeat a start that ends with its exit code, but a machine may set its
/// clock some seconds after it has started the server.
struct WrongClock: Error, CustomStringConvertible {
  let seconds: Int

  var description: String {
    "the clocks of this machine and of the database differ by \(seconds) seconds; set both with NTP"
  }
}

/// A PostgreSQL database, and what a server needs to share it with others.
struct SharedDatabase: Sendable {
  /// The clocks of a server and of the database may differ by this many seconds without a warning, and at most.
  private static let clockSeconds = (warned: 5, longest: 60)

  let database: PostgreSQLDatabase
  let servers: ServerStore
  let changes: HappenedChanges
  let objects: SharedObjects?
  /// The database as the stores use it.
  let stored: any Database
  private let reserved: PostgreSQLDatabase
  private let name: String

  /// Connects, and migrates the database.
  ///
  /// - Throws: ``UnusableServer``, and the errors of ``SharedObjects``.
  init(_ address: ServerAddress, _ settings: Settings, log: Log) throws {
    if let warning = address.warning { log.write(.warning, "\(warning)", []) }
    database = try MemeDatabase.open(
      address, migrations: Server.serverMigrations, connections: settings.databaseConnections)
    reserved = database.reserving(connections: 1)
    (servers, changes) = (ServerStore(reserved), HappenedChanges(reserved.readers))
    objects = try SharedObjects(settings, database)
    stored = objects.map { [database] in ObjectDatabase(database, $0.blobs) } ?? database
    name = settings.serverName ?? ProcessInfo.processInfo.hostName
  }

  /// Checks what all servers of a database must have in common.
  ///
  /// - Throws: ``WrongClock``; ``SettingError`` if the secret key or the object store differs; errors of the store.
  func check(_ tokens: KeyedTokens, log: Log) async throws {
    // First, because the first server chooses the key and the bucket, and the bucket's first day.
    let seconds = try await Self.clockDifference(servers)
    if seconds > Self.clockSeconds.warned {
      log.write(
        .warning, "the clocks of this machine and of the database differ",
        [("seconds", .whole(seconds))])
    }
    guard try await servers.confirm(keyCode: tokens.keyCode) else {
      throw SettingError(
        name: "MEMEME_SECRET_KEY_FILE",
        reason: "is not the key with which the first server of this database was started")
    }
    try await SharedObjects.confirm(objects, of: database, at: .now())
  }

  /// The seconds between the clocks of this machine and of the database.
  ///
  /// - Throws: ``WrongClock`` if they are too many.
  @discardableResult
  static func clockDifference(_ servers: ServerStore) async throws -> Int {
    let (there, here) = (try await servers.time(), Timestamp.now())
    let seconds = Int(abs(there.millisecondsSince1970 - here.millisecondsSince1970) / 1000)
    guard seconds <= clockSeconds.longest else { throw WrongClock(seconds: seconds) }
    return seconds
  }

  /// Begins to read the changes of other servers.
  ///
  /// - Parameter stop: called if a newer version excludes this server.
  func upkeep(
    telling observers: [any ChangeObserver], log: Log, stop: @escaping @Sendable () -> Void
  ) -> SharedUpkeep {
    let server = RunningServer(
      name: name, version: Version.current, newestMigration: Server.serverVersion)
    return SharedUpkeep(changes, servers, as: server, telling: observers) { event in
      switch event {
      case .failed(let error):
        log.write(
          .error, "cannot read the changes of other servers", [("cause", .text(error.reason))])
      case .worksAgain: log.write(.info, "reading the changes of other servers again", [])
      case .excluded(let error):
        log.write(
          .error, "a newer version excludes this server", [("cause", .text(error.reason))])
        stop()
      }
    }
  }

  func close() {
    database.close()
    reserved.close()
  }
}
