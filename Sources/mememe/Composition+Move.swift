import Crypto
import Foundation
import Memes
import PostgreSQL
import SQL
import SQLite
import Services
import Storage

extension Server {
  /// Copies the data folder to the PostgreSQL database in the settings, which must be empty, and to its object store.
  ///
  /// - Throws: ``SettingError``, ``NoDatabase``, ``UnusableDatabase``, ``UnusableServer``, and the errors of the folder
  ///   and of ``Move``.
  static func moveToServer(
    _ settings: Settings, tell: @escaping @Sendable (Move.Event) -> Void
  ) async throws -> Move.Summary {
    guard let address = settings.database else {
      throw SettingError(name: "--to", reason: "is required")
    }
    let path = settings.dataFolder
    try NoDatabase.check(path)
    let folder = try DataFolder(path: path)
    defer { withExtendedLifetime(folder) {} }
    let code = try keyCode(of: folder.path(of: "secret-key"))
    if let file = settings.secretKeyFile,
      try Settings.reading("MEMEME_SECRET_KEY_FILE", { try keyCode(of: file) }) != code
    {
      throw SettingError(
        name: "MEMEME_SECRET_KEY_FILE", reason: "is not the secret-key of \(folder.path)")
    }
    let source = try MemeDatabase.openForReading(in: folder, migrations: migrations)
    defer { source.close() }
    // A server that starts from now on waits for the lock.
    let lock = try MigrationLock(address)
    defer { withExtendedLifetime(lock) {} }
    let database = try MemeDatabase.openForMoving(
      lock, migrations: serverMigrations, statementTimeout: CheckedDatabase.statementTimeout)
    defer { database.close() }
    try await SharedDatabase.clockDifference(ServerStore(database))
    let objects = try SharedObjects(settings, database)
    let move = Move(
      from: source.readers, Blobs(),
      to: ServerTarget(database, objects?.blobs ?? Blobs(), keyCode: code), digest: digest,
      tell: tell)
    try await onThread { try move.begin() }
    // Only a database that is the target of this move may choose the bucket.
    do { try await SharedObjects.confirm(objects, of: database, at: .now()) } catch let error
      as SettingError
    { throw MoveFailure.bucket("\(error)") }
    return try await onThread { try move.run() }
  }

  /// A copy in a data folder.
  struct FolderCopy: Sendable {
    let summary: Move.Summary
    /// The servers that used the database during the copy.
    let runningServers: [String]
  }

  /// Copies the PostgreSQL database in the settings, with its object store, to a new data folder.
  ///
  /// - Throws: ``SettingError``, ``UnusableServer``, and the errors of the folder and of ``Move``.
  static func moveToFolder(
    _ path: String, _ settings: Settings, tell: @escaping @Sendable (Move.Event) -> Void
  ) async throws -> FolderCopy {
    guard let address = settings.database else {
      throw SettingError(
        name: "MEMEME_DATABASE",
        reason: "is required with --to-folder: it names the database to copy")
    }
    guard let keyFile = settings.secretKeyFile else {
      throw SettingError(
        name: "MEMEME_SECRET_KEY_FILE",
        reason: "is required with --to-folder: the folder gets a copy")
    }
    // One connection is for a write, which no copy needs.
    let source = try MemeDatabase.openAsGuest(
      address, migrations: serverMigrations, connections: 2,
      statementTimeout: CheckedDatabase.statementTimeout)
    defer { source.close() }
    let servers = ServerStore(source)
    let known = try await servers.keyCode()
    // Read in any case, so that an unreadable file is an error of the setting before the copy begins.
    let code = try Settings.reading("MEMEME_SECRET_KEY_FILE") { try keyCode(of: keyFile) }
    guard known == nil || known == code else {
      throw SettingError(
        name: "MEMEME_SECRET_KEY_FILE", reason: "is not the key of the servers of this database")
    }
    let blobs = try await SharedObjects.blobs(settings, of: source)
    let running = try await servers.running()
    let folder = try DataFolder(path: path)
    defer { withExtendedLifetime(folder) {} }
    let key = try SecretFile.existingKey(at: keyFile, bytes: Authenticator.keyBytes)
    let target = FolderTarget(
      folder, migrations: migrations, secretKey: key.withUnsafeBytes { Array($0) })
    let summary = try await onThread {
      try Move(from: source.readers, blobs, to: target, digest: digest, tell: tell).run()
    }
    return FolderCopy(summary: summary, runningServers: running)
  }

  private static func keyCode(of path: String) throws -> [UInt8] {
    let secret = try SecretFile.existingKey(at: path, bytes: Authenticator.keyBytes)
    guard let key = Authenticator(key: secret) else {
      throw SecretFile.Failure.malformed(path: path)
    }
    return KeyedTokens.keyCode(of: key)
  }

  /// Runs work that blocks for long, on a thread of its own.
  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
