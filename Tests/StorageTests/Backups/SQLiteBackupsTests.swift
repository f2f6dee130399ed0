import Foundation
import Memes
import SQL
import SQLite
import Synchronization
import Testing

@testable import Storage

/// The folder of backups.
struct SQLiteBackupsTests {
  @Test func `backups are listed newest first, and other files are not listed and stay`()
    async throws
  {
    try await withBackups { scratch, backups in
      #expect(try backups.all() == [])
      let times = [1_763_810_993_000, 1_763_897_393_000, 1_763_724_593_000] as [Int64]
      var made: [Backup] = []
      for time in times { made.append(try await StorageTests.made(backups, at: time)) }
      let folder = "\(scratch.folder.path)/backups"
      let foreign = [
        "readme.txt", "mememe-20261122T112953Z.db", "mememe-20261123T112953Z.db",
        "mememe-20261124T112953Z.db.part.txt", "mememe-99.db", "mememe-99.db.part",
      ]
      for name in foreign {
        try Data("somebody's".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
      // A backup with another name, one that was never verified, one of another application, and one without a file.
      let copy = "\(folder)/mememe-20200101T000000Z.db"
      try FileManager.default.copyItem(
        atPath: "\(folder)/\(made[0].fileName)", toPath: copy)
      let doubtful = "\(folder)/mememe-20251121T112953Z.db"
      #expect(doubtful.hasSuffix(made[2].fileName))
      try ClosedDatabase.edit(doubtful) { db in
        try db.run("UPDATE backup SET verified_at = NULL")
      }
      let alien = "\(folder)/mememe-20200102T000000Z.db"
      try ClosedDatabase.edit(alien) { db in
        try db.run("CREATE TABLE backup (id)")
      }
      try FileManager.default.createDirectory(
        atPath: "\(folder)/mememe-20200103T000000Z.db", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/mememe-20200104T000000Z.db",
        withDestinationPath: "\(folder)/\(made[0].fileName)")

      #expect(try backups.all() == [made[1], made[0]])
      let before = try files(of: scratch)
      backups.removeLeftovers()
      #expect(try files(of: scratch) == before)
      let surplus = BackupRetention(days: 0, weeks: 0, manual: 0).surplus(of: try backups.all())
      for backup in surplus { try backups.remove(backup) }
      #expect(try files(of: scratch) == before.filter { $0 != made[0].fileName })
      #expect(throws: MemeError.self) { try backups.remove(made[0]) }
    }
  }

  @Test func `backups of the same second have distinct names and stay in order`() async throws {
    try await withBackups { _, backups in
      let time = 1_763_810_993_000 as Int64
      let first = try await made(backups, at: time + 100)
      let second = try await made(backups, at: time + 300)
      try backups.remove(first)
      let third = try await made(backups, at: time + 700)
      #expect(try backups.all().map(\.id) == [third.id, second.id])
      #expect(Set([first, second, third].map(\.fileName)).count == 3)
      // If the clock was set back, a backup is still dated by the clock.
      let late = try await made(backups, at: time - 3_600_000)
      #expect(late.takenAt.millisecondsSince1970 == time - 3_600_000)
    }
  }

  @Test func `leftovers of unfinished backups are removed`() async throws {
    try await withBackups { scratch, backups in
      let backup = try await made(backups)
      let draft = "\(scratch.folder.path)/backups/mememe-20261122T112953Z.db.part"
      for suffix in ["", "-journal", "-wal", "-shm"] {
        try Data(count: 10).write(to: URL(filePath: draft + suffix))
      }
      backups.removeLeftovers()
      #expect(try files(of: scratch) == [backup.fileName])
    }
  }

  @Test func `two backups of the same second have two names and replace no file`() async throws {
    try await withBackups { scratch, backups in
      let first = try await made(backups)
      let path = "\(scratch.folder.path)/backups/mememe-20251122T112954Z.db"
      try Data("somebody's".utf8).write(to: URL(filePath: path))
      let second = try await made(backups)
      #expect(second.takenAt.millisecondsSince1970 - first.takenAt.millisecondsSince1970 == 2000)
      #expect(try backups.all() == [second, first])
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("somebody's".utf8))
    }
  }

  @Test func `no backup begins without disk space or without a folder`() async throws {
    try await withBackups(freeBytes: 100_000) { scratch, backups in
      // The database has several pages of 16 KiB in its log by now.
      let failure = await failure {
        _ = try backups.begin(BackupID(UUID()), at: .now(), by: "1", isManual: false)
      }
      let left = try files(of: scratch)
      #expect(failure == "storageFull" && left == [])
      #expect(backups.freeBytes == 100_000)
    }
    try await withBackups(freeBytes: 100 << 20) { scratch, backups in
      _ = try await made(backups)
      try FileManager.default.removeItem(atPath: "\(scratch.folder.path)/backups")
      try Data().write(to: URL(filePath: "\(scratch.folder.path)/backups"))
      let failure = await failure {
        _ = try backups.begin(BackupID(UUID()), at: .now(), by: "1", isManual: false)
      }
      #expect(failure == "storage")
    }
  }

  @Test func `the progress of copying and verifying ends at the total`() async throws {
    try await withBackups { scratch, backups in
      for _ in 0..<30 {
        _ = try await scratch.memes.insert(try truthful(newMeme(byteCount: 200_000)))
      }
      let backup = try backups.begin(BackupID(UUID()), at: .now(), by: "1", isManual: false)
      let copying = Mutex<[BackupProgress]>([])
      let verifying = Mutex<[BackupProgress]>([])
      try await backups.copy(backup) { progress in copying.withLock { $0.append(progress) } }
      let summary = try await backups.verify(backup, report: { _ in }) { progress in
        verifying.withLock { $0.append(progress) }
      }
      #expect(summary.memes == 30 && summary.pictures == 120 && summary.findings == 0)
      for told in [copying.withLock { $0 }, verifying.withLock { $0 }] {
        #expect(
          told.count > 1 && zip(told, told.dropFirst()).allSatisfy { $0.doneBytes <= $1.doneBytes })
        #expect(told.allSatisfy { $0.doneBytes <= $0.allBytes && $0.allBytes > 6_000_000 })
      }
      #expect(copying.withLock { $0.last.map { $0.doneBytes == $0.allBytes } } == true)
      backups.discard(backup)
    }
  }

  @Test func `a backup of an earlier version is listed too`() async throws {
    try await withBackups { scratch, backups in
      let backup = try await made(backups)
      try ClosedDatabase.edit("\(scratch.folder.path)/backups/\(backup.fileName)") {
        db in
        try db.run("DELETE FROM migrations WHERE version > 10")
        try db.run("PRAGMA user_version = 10")
      }
      #expect(try backups.all().map(\.id) == [backup.id])
    }
  }

  @Test func `verification runs on one thread of low priority`() async throws {
    let thread = QuietThread()
    defer { thread.end() }
    let seen = Mutex<Set<String>>([])
    let note: @Sendable () -> Void = { _ = seen.withLock { $0.insert("\(pthread_self())") } }
    note()
    await withTaskExecutorPreference(thread) {
      for _ in 0..<20 {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask {
              note()
              await Task.yield()
              note()
            }
          }
        }
        note()
      }
    }
    #expect(seen.withLock { $0.count } == 2)
  }
}
