import Bytes
import Crypto
import Memes
import Objects
import PostgreSQL
import SQL
import Storage
import Support
import Synchronization

/// Stores whose pictures are in an object store in memory.
struct ObjectScratch {
  let database: PostgreSQLDatabase
  let stored: ObjectDatabase
  let objects: MemoryObjectStore
  let records: ObjectRecords
  let memes: MemeStore
  let uploads: UploadStore
  let templates: TemplateStore
  /// The clock for the days of keys.
  let clock: Clock

  final class Clock: Sendable {
    private let time = Mutex(Timestamp(millisecondsSince1970: 1_764_072_000_000))

    var now: Timestamp { time.withLock(\.self) }

    func advance(days: Int64) {
      time.withLock {
        $0 = Timestamp(millisecondsSince1970: $0.millisecondsSince1970 + days * 86_400_000)
      }
    }
  }

  /// The keys in the rows of `blobs`.
  func keys() async throws -> Set<ObjectKey> {
    try await all("SELECT object_key FROM blobs WHERE object_key IS NOT NULL")
  }

  func discarded() async throws -> Set<ObjectKey> {
    try await all("SELECT object_key FROM discarded_objects")
  }

  private func all(_ sql: String) async throws -> Set<ObjectKey> {
    Set(
      try await database.readers.read { db in
        try db.all(sql) { row in try row.next() as String }
      }.compactMap { ObjectKey($0) })
  }
}

let sha256: Digester = { bytes in Digest { $0.copyBytes(from: SHA256.digest(of: bytes)) } }

/// - Parameter digest: verified at each read.
func withObjects(
  verifying digest: Digester? = nil, _ body: (ObjectScratch) async throws -> Void
) async throws {
  guard Engine.tested.contains(.objects) else { return }
  try await withServerDatabase { database in
    let (objects, clock) = (MemoryObjectStore(), ObjectScratch.Clock())
    let stored = ObjectDatabase(
      database, Blobs(in: objects, verifying: digest, now: { clock.now }))
    try await body(
      ObjectScratch(
        database: database, stored: stored, objects: objects, records: ObjectRecords(database),
        memes: MemeStore(stored), uploads: UploadStore(stored), templates: TemplateStore(stored),
        clock: clock))
  }
}
