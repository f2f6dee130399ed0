import Bytes
import Dispatch
import Eventually
import Foundation
import Memes
import Objects
import PostgreSQL
import SQL
import SQLite
import Support
import Synchronization
import Testing

@testable import Storage

/// Moves between a data folder and PostgreSQL with an object store.
struct ObjectMoveTests {
  private struct Scene {
    let original: URL
    let copy: URL
    let database: PostgreSQLDatabase
    let store = MemoryObjectStore()

    var blobs: Blobs { Blobs(in: store, verifying: nil) }
    var server: ServerTarget {
      ServerTarget(database, blobs, keyCode: [UInt8](repeating: 1, count: 32))
    }

    @discardableResult
    func toServer(_ target: (any MoveTarget)? = nil) throws -> Move.Summary {
      let folder = try DataFolder(path: original.path)
      let source = try MemeDatabase.openForReading(in: folder, migrations: migrations)
      defer {
        source.close()
        withExtendedLifetime(folder) {}
      }
      return try Move(
        from: source.readers, Blobs(), to: target ?? server, digest: trueDigest, tell: { _ in }
      ).run()
    }

    /// - Parameter tell: receives the lines about broken pictures.
    @discardableResult
    func toFolder(_ tell: @escaping @Sendable (String) -> Void = { _ in }) throws -> Move.Summary {
      let folder = try DataFolder(path: copy.path)
      defer { withExtendedLifetime(folder) {} }
      let target = FolderTarget(
        folder, migrations: migrations, secretKey: [UInt8](repeating: 2, count: 32))
      return try Move(
        from: database.readers, blobs, to: target, digest: trueDigest,
        tell: { if case .broken(let text) = $0 { tell(text) } }
      ).run()
    }
  }

  private func withScene(_ body: (Scene) async throws -> Void) async throws {
    try await withScratchFolder { path in
      let folder = URL(filePath: path)
      try await EarlierVersion.latest.make(in: folder.appending(path: "original"), more: 20)
      try await withServerDatabase { database in
        try await body(
          Scene(
            original: folder.appending(path: "original"), copy: folder.appending(path: "copy"),
            database: database))
      }
    }
  }

  @Test func `pictures become objects, and bytes in rows again`() async throws {
    try await withScene { scene in
      let there = try scene.toServer()
      #expect(there.pictures > 90 && there.memes == 25)
      #expect(scene.store.objects.count == there.pictures)
      #expect(
        try scene.database.integer("SELECT count(*) FROM blobs WHERE object_key IS NULL") == 0)
      #expect(
        try scene.database.integer("SELECT count(DISTINCT object_key) FROM blobs") == there.pictures
      )
      let archive = MemeArchive(scene.database, scene.blobs)
      let check = DataCheck(archive: archive, inspection: nil, digest: trueDigest, parallel: 2)
      let summary = try await check.run(report: { Issue.record("\($0)") }, progress: { _, _ in })
      #expect(summary.findings == 0 && summary.pictures > 90)

      let back = try scene.toFolder()
      #expect(back.pictures == there.pictures && back.pictureBytes == there.pictureBytes)
      let (found, wanted) = (
        try await EarlierVersion.latest.contents(of: scene.copy),
        try await EarlierVersion.latest.contents(of: scene.original)
      )
      for table in ["memes", "pictures", "derived_pictures", "avatars", "templates", "uploads"] {
        #expect(found.rows[table]?.sorted() == wanted.rows[table]?.sorted(), "\(table)")
      }
      // One row of the original is about to be overwritten.
      let missing = Set(wanted.rows["blobs"] ?? []).subtracting(found.rows["blobs"] ?? [])
      #expect(missing.count == 1)
    }
  }

  @Test func `a store that does not answer for a while delays a move`() async throws {
    try await withScene { scene in
      scene.store.fail(with: .unavailable("down"))
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { scene.store.fail(with: nil) }
      let moved = try scene.toServer()
      #expect(moved.pictures > 90)
    }
  }

  @Test func `a store that refuses ends a move, and its objects are discarded by the next one`()
    async throws
  {
    try await withScene { scene in
      scene.store.fail(with: .rejected("403"))
      #expect(throws: ObjectError.self) { try scene.toServer() }
      #expect(try scene.database.integer("SELECT count(*) FROM moves") == 1)
      #expect(try scene.database.integer("SELECT count(*) FROM memes") == 0)
      scene.store.fail(with: nil)
      // The rows are committed, but not verified.
      #expect(throws: Unverified.Failure.self) {
        try scene.toServer(Unverified(target: scene.server))
      }
      #expect(try scene.database.integer("SELECT count(*) FROM memes") == 25)
      let first = Set(scene.store.objects.keys.map(\.text))
      try scene.toServer()
      let discarded: [String] = try await scene.database.readers.read { db in
        try db.column("SELECT object_key FROM discarded_objects")
      }
      #expect(Set(discarded) == first && !first.isEmpty)
      #expect(try scene.database.integer("SELECT count(*) FROM moves") == 0)
    }
  }

  @Test func `lost and changed objects are reported, and nothing is copied`() async throws {
    try await withScene { scene in
      try scene.toServer()
      let keys = scene.store.objects.keys.sorted { $0.text < $1.text }
      let (lost, changed) = (try #require(keys.first), try #require(keys.last))
      scene.store.damage(lost, nil)
      scene.store.damage(
        changed,
        scene.store.objects[changed].map { bytes in
          Bytes(bytes.withUnsafeBytes { $0.map { ~$0 } })
        })
      let lines = Mutex<[String]>([])
      let failure = #expect(throws: MoveFailure.self) {
        try scene.toFolder { text in lines.withLock { $0.append(text) } }
      }
      #expect("\(failure as Any)".contains("the source has 2 broken pictures"))
      let found = lines.withLock(\.self)
      #expect(found.contains { $0.contains("object \(lost.text): ") }, "\(found)")
      #expect(found.contains { $0.hasSuffix("SHA-256 mismatch") }, "\(found)")
      #expect(throws: UnusableDatabase.self) {
        try MemeDatabase.openForReading(at: scene.copy.path, migrations: migrations, readers: 1)
      }
    }
  }

  @Test func `no object is deleted while a copy of all of them is made`() async throws {
    try await withServerDatabase { database in
      let records = ObjectRecords(database)
      try await database.writer.transaction { db in
        try db.run("INSERT INTO discarded_objects VALUES ('20261125/1', 0)")
      }
      let (begins, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      async let copy: Void = database.readers.read { db in
        try ObjectRecords.keepObjects(in: db)
        begins.signal()
        ends.wait()
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          begins.wait()
          continuation.resume()
        }
      }
      #expect(try await records.discarded(forSeconds: 0, limit: 10).isEmpty)
      ends.signal()
      try await copy
      #expect(try await records.discarded(forSeconds: 0, limit: 10).count == 1)
    }
  }
}

/// A target whose rows cannot be read back.
private struct Unverified: MoveTarget {
  struct Failure: Error {}

  let target: ServerTarget

  var blobs: Blobs { target.blobs }

  func begin(from source: [UInt8]) throws { try target.begin(from: source) }

  func fill<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value {
    try target.fill(body)
  }

  func read<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value {
    throw Failure()
  }

  func finish(_ body: (borrowing Transaction) throws -> Void) throws { throw Failure() }
}
