import Crypto
import Memes
import Objects
import PostgreSQL
import SQL
import Services
import Storage

/// The object store of a PostgreSQL database.
struct SharedObjects: Sendable {
  let store: S3Store
  let records: ObjectRecords
  let mark: ObjectMark
  let blobs: Blobs

  /// Does not connect yet.
  ///
  /// - Returns: `nil` if the settings name no object store.
  /// - Throws: ``SettingError``.
  init?(_ settings: Settings, _ database: PostgreSQLDatabase) throws {
    guard let address = settings.objects else { return nil }
    store = S3Store(address, as: try Self.account(settings))
    records = ObjectRecords(database)
    mark = try ObjectMark(store, records)
    blobs = Blobs(in: store, verifying: Server.digest)
  }

  private static func account(_ settings: Settings) throws -> S3Credentials {
    guard let path = settings.objectsKeyFile else {
      if let account = settings.awsAccount { return account }
      throw SettingError(
        name: "MEMEME_OBJECTS_KEY_FILE",
        reason:
          "is required with MEMEME_OBJECTS, unless AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are set"
      )
    }
    let text = try Settings.reading("MEMEME_OBJECTS_KEY_FILE") {
      try SecretFile.existingText(at: path)
    }
    guard let account = S3Credentials(file: text) else {
      throw SettingError(
        name: "MEMEME_OBJECTS_KEY_FILE", reason: "must have two lines: an access key and its secret"
      )
    }
    return account
  }

  /// Checks that the settings name the object store of the database, or none if it has none. The first server decides.
  ///
  /// - Throws: ``SettingError``; `ObjectError` if the store does not answer; the errors of the database.
  static func confirm(
    _ objects: SharedObjects?, of database: PostgreSQLDatabase, at time: Timestamp
  ) async throws {
    guard let objects else { return try await checkThatNone(of: database) }
    try await naming { try await objects.mark.confirm(at: time) }
  }

  /// Where a command finds the pictures of a database. It does not decide which object store that is.
  ///
  /// - Throws: the errors of ``confirm(_:of:at:)``.
  static func blobs(_ settings: Settings, of database: PostgreSQLDatabase) async throws -> Blobs {
    guard let objects = try SharedObjects(settings, database) else {
      try await checkThatNone(of: database)
      return Blobs()
    }
    try await naming { try await objects.mark.check() }
    return objects.blobs
  }

  private static func checkThatNone(of database: PostgreSQLDatabase) async throws {
    guard try await ObjectRecords(database).mark()?.isPlaced == true else { return }
    throw SettingError(
      name: "MEMEME_OBJECTS",
      reason: "is required, because the pictures of this database are in an object store")
  }

  private static func naming(_ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as ObjectMark.Mismatch {
      let reason =
        switch error {
        case .foreign: "is the bucket of another database"
        case .other: "is not the bucket with the pictures of this database"
        case .unused: "is not in use yet; start a server with it first"
        }
      throw SettingError(name: "MEMEME_OBJECTS", reason: reason)
    } catch ObjectError.rejected(let reason) {
      throw SettingError(
        name: "MEMEME_OBJECTS", reason: "the object store refused a request: \(reason)")
    }
  }
}

extension Server {
  /// Connects a command to a database and its object store.
  static func connectWithObjects(
    _ settings: Settings, _ address: ServerAddress, connections: Int
  ) async throws -> (database: PostgreSQLDatabase, blobs: Blobs) {
    let database = try connect(address, connections: connections)
    do {
      return (database, try await SharedObjects.blobs(settings, of: database))
    } catch {
      database.close()
      throw error
    }
  }
}
