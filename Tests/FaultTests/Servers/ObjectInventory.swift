import Objects
import PostgreSQL
import SQL
import Services
import Storage
import Support
import mememe

/// Compares the objects of a bucket with the rows that name them after the servers have ended.
enum ObjectInventory {
  /// Discards what no row names, as a sweep does two days later, deletes all that is discarded, and lists the rest.
  ///
  /// - Returns: what is wrong, and how many objects no row named before.
  static func complaints(
    _ store: SeaweedServer, _ address: String
  ) async throws -> (complaints: [String], orphans: Int) {
    let objects = S3Store(try S3Address(store.address), as: RcloneServer.account)
    let database = try MemeDatabase.openAsGuest(
      ServerAddress(address),
      migrations: Assets.serverMigrations.map { Migration(name: $0.name, sql: $0.sql) },
      connections: 2)
    defer { database.close() }
    let records = ObjectRecords(database)
    let orphans = try await records.discardOrphans(
      of: all(objects).filter { $0.text != "mark" })
    let purge = DiscardedObjectPurge(objects, records, graceSeconds: 0)
    while try await purge.purgeBatch() > 0 {}
    let stored = Set(try await all(objects).map(\.text))
    let named: [String] = try await database.readers.read { db in
      try db.column("SELECT object_key FROM blobs WHERE object_key IS NOT NULL")
    }
    let (lost, left) = (Set(named).subtracting(stored), stored.subtracting(named + ["mark"]))
    var complaints: [String] = []
    if let key = lost.first {
      complaints.append("\(lost.count) rows have no object, such as \(key)")
    }
    if let key = left.first {
      complaints.append("\(left.count) objects have no row, such as \(key)")
    }
    if named.isEmpty { complaints.append("no picture is in the object store") }
    return (complaints, orphans)
  }

  private static func all(_ objects: S3Store) async throws -> [ObjectKey] {
    var (keys, next) = ([] as [ObjectKey], nil as ObjectPage.Next?)
    repeat {
      let page = try await objects.list("", next)
      keys += page.keys
      next = page.next
    } while next != nil
    return keys
  }
}
