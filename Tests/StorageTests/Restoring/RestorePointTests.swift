import Foundation
import Memes
import SQL
import SQLite
import Synchronization
import Testing

@testable import Storage

/// The copies that are made before upgrades.
struct RestorePointTests {
  /// The current migrations, and `more` further ones.
  private func migrations(more: Int) -> [Migration] {
    StorageTests.migrations
      + (0..<more).map { Migration(name: "more-\($0)", sql: "CREATE TABLE more_\($0) (id)") }
  }

  @Test func `each upgrade leaves a restore point, and the last three are kept`() async throws {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path)
      for more in 0..<6 {
        let clock = Timestamp(millisecondsSince1970: 1_763_811_000_000 + Int64(more) * 60_000)
        let told = Mutex<[String]>([])
        let points = RestorePoints(in: folder, now: { clock }) { event in
          if case .made(let path) = event { told.withLock { $0.append(path) } }
        }
        let database = try MemeDatabase.open(
          in: folder, migrations: migrations(more: more), keepingIn: points)
        await database.close()
        #expect(told.withLock { $0.count } == (more == 0 ? 0 : 1))
      }
      let known = StorageTests.migrations.count
      #expect(
        try names(in: path) == [
          "mememe-20251122T113300Z-before-migration-\(known + 3).db",
          "mememe-20251122T113400Z-before-migration-\(known + 4).db",
          "mememe-20251122T113500Z-before-migration-\(known + 5).db",
        ])
      let mode = try FileManager.default.attributesOfItem(
        atPath: "\(path)/restore-points/\(names(in: path)[0])")[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  @Test func `a restore point is kept even if the clock was set back`() async throws {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path)
      // 2025-11-22T11:30:00Z
      let points = RestorePoints(
        in: folder, now: { Timestamp(millisecondsSince1970: 1_763_811_000_000) })
      try points.makeFolder()
      for day in 1...3 {
        try "old".write(
          toFile: "\(path)/restore-points/mememe-2030010\(day)T000000Z-before-restore.db",
          atomically: true, encoding: .utf8)
      }
      let new = points.newPath(for: .restore)
      try "new".write(toFile: new, atomically: true, encoding: .utf8)
      points.prune(.restore)
      #expect(new == "\(path)/restore-points/mememe-20300103T000001Z-before-restore.db")
      #expect(
        try names(in: path) == [
          "mememe-20300102T000000Z-before-restore.db", "mememe-20300103T000000Z-before-restore.db",
          "mememe-20300103T000001Z-before-restore.db",
        ])
    }
  }

  @Test func `a restore point contains the log and does not block the next one`() async throws {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path)
      let database = try MemeDatabase.open(in: folder, migrations: migrations(more: 0))
      try await database.writer.transaction { db in
        try db.run("INSERT INTO blobs (bytes) VALUES (zeroblob(100000))")
      }
      // As after a crash: the log is not in the database yet.
      let crashed = "\(path)-crashed"
      defer { try? FileManager.default.removeItem(atPath: crashed) }
      let other = try DataFolder(path: crashed)
      for end in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: folder.database + end, toPath: other.database + end)
      }
      await database.close()
      try "no point".write(
        toFile: "\(crashed)/other", atomically: true, encoding: .utf8)
      let upgraded = try MemeDatabase.open(in: other, migrations: migrations(more: 1))
      await upgraded.close()
      let point = try #require(try names(in: crashed).first)
      let copy = try SQLiteDatabase(
        path: "\(crashed)/restore-points/\(point)",
        migrator: MemeDatabase.migrator(migrations(more: 0)))
      let bytes: Int? = try await copy.readers.read { db in
        try db.value("SELECT sum(length(bytes)) FROM blobs")
      }
      #expect(bytes == 100_000)
      await copy.close()
    }
  }

  @Test func `an upgrade that failed halfway continues with its restore point`() async throws {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path)
      await (try MemeDatabase.open(in: folder, migrations: migrations(more: 0))).close()
      let good = migrations(more: 1)
      let broken = good + [Migration(name: "broken", sql: "nonsense")]
      for _ in 0..<4 {
        let failure = #expect(throws: UnusableDatabase.self) {
          try MemeDatabase.open(in: folder, migrations: broken)
        }
        guard case .migration(.failed(name: "broken", _))? = failure?.reason else {
          Issue.record("\(String(describing: failure))")
          return
        }
        #expect(try names(in: path).count == 2, "the point, and the mark of the upgrade")
      }
      let mended = good + [Migration(name: "broken", sql: "CREATE TABLE mended (id)")]
      await (try MemeDatabase.open(in: folder, migrations: mended)).close()
      let known = StorageTests.migrations.count
      #expect(try names(in: path).map { $0.suffix(12) } == ["ration-\(known + 1).db"])
      // The next one is a separate upgrade.
      let next = mended + [Migration(name: "next", sql: "CREATE TABLE next (id)")]
      await (try MemeDatabase.open(in: folder, migrations: next)).close()
      let ends = ["ration-\(known + 1).db", "ration-\(known + 3).db"]
      #expect(try names(in: path).map { $0.suffix(12) } == ends.map { $0[...] })
    }
  }

  @Test func `if no restore point can be made, nothing is changed`() async throws {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path)
      await (try MemeDatabase.open(in: folder, migrations: migrations(more: 0))).close()
      let before = try Data(contentsOf: URL(filePath: folder.database))
      // A file has the folder's name.
      try "mine".write(
        toFile: "\(path)/restore-points", atomically: true, encoding: .utf8)
      let failure = #expect(throws: UnusableDatabase.self) {
        try MemeDatabase.open(in: folder, migrations: migrations(more: 1))
      }
      #expect(failure?.description.contains("mememe migrate --no-restore-point") == true)
      #expect(try Data(contentsOf: URL(filePath: folder.database)) == before)
      let upgraded = try MemeDatabase.open(
        in: folder, migrations: migrations(more: 1), keepingIn: nil)
      await upgraded.close()
    }
  }

  @Test func `foreign files stay, and an unfinished copy is removed`() async throws {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path)
      await (try MemeDatabase.open(in: folder, migrations: migrations(more: 0))).close()
      try FileManager.default.createDirectory(
        atPath: "\(path)/restore-points", withIntermediateDirectories: false)
      let part = "mememe-20200101T000000Z-before-migration-2.db.part"
      for name in ["mine.db", part, "\(part)-wal", "\(part)-shm", "\(part)-journal"] {
        try "mine".write(
          toFile: "\(path)/restore-points/\(name)", atomically: true, encoding: .utf8)
      }
      await (try MemeDatabase.open(in: folder, migrations: migrations(more: 1))).close()
      #expect(try names(in: path).count == 2)
      #expect(try names(in: path).contains("mine.db"))
    }
  }

  private func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/restore-points").sorted()
  }
}
