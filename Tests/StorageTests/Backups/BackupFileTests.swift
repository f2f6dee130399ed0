import Bytes
import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

/// The file of a backup: its contents, and the damage that verification finds.
struct BackupFileTests {
  @Test func `a backup is the whole database with a stamp, in one file`() async throws {
    try await withBackups { scratch, backups in
      let meme = try truthful(newMeme(byteCount: 50_000))
      _ = try await scratch.memes.insert(meme)
      let backup = try await made(backups, at: 1_763_810_993_123)
      let path = "\(scratch.folder.path)/backups/mememe-20251122T112953Z.db"
      #expect(backup.fileName == "mememe-20251122T112953Z.db")
      #expect(try files(of: scratch) == [backup.fileName])
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let folder = try FileManager.default.attributesOfItem(
        atPath: "\(scratch.folder.path)/backups")
      #expect(folder[.posixPermissions] as? Int == 0o700)

      // Bytes 18 and 19 of the header: 1 is a rollback journal, 2 a write-ahead log
      // (https://sqlite.org/fileformat.html).
      let header = try Data(contentsOf: URL(filePath: path)).prefix(20)
      #expect(Array(header.suffix(2)) == [1, 1])

      let database = try MemeDatabase.openForReading(
        file: path, migrations: migrations, readers: 1)
      let stamp = try #require(try BackupStamp.read(in: database))
      #expect(stamp.id == backup.id && stamp.takenAt == backup.takenAt)
      #expect(stamp.program == "9.9.9" && stamp.keys == keys)
      #expect(stamp.verifiedAt == Timestamp(millisecondsSince1970: 42))
      database.close()
      #expect(
        backup.state
          == .complete(
            Backup.Contents(
              verifiedAt: Timestamp(millisecondsSince1970: 42),
              byteCount: try #require(attributes[.size] as? Int), memes: 1)))
      #expect(try backups.all() == [backup])
    }
  }

  @Test func `without its stamp a backup is a server's database`() async throws {
    try await withBackups { scratch, backups in
      let meme = try truthful(newMeme())
      _ = try await scratch.memes.insert(meme)
      let backup = try await made(backups)
      try await withScratchFolder { other in
        let folder = try DataFolder(path: other)
        try FileManager.default.copyItem(
          atPath: "\(scratch.folder.path)/backups/\(backup.fileName)", toPath: folder.database)
        let database = try MemeDatabase.open(in: folder, migrations: migrations)
        try await database.writer.transaction { db in
          try BackupStamp.remove(in: db)
          try BackupStamp.remove(in: db)
        }
        let found = try await MemeStore(database).picture(
          .image, of: meme.meme.id, for: .anonymous)
        #expect(try await found.file.bytes() == meme.image)
        await database.close()
        let plain = try MemeDatabase.openForReading(at: other, migrations: migrations, readers: 1)
        #expect(try BackupStamp.read(in: plain) == nil)
        plain.close()
      }
    }
  }

  @Test func `a picture that does not match its digest is found`() async throws {
    try await withBackups { scratch, backups in
      _ = try await scratch.memes.insert(try truthful(newMeme()))
      // Its digests are wrong.
      let liar = try newMeme()
      _ = try await scratch.memes.insert(liar)
      let backup = try backups.begin(
        BackupID(UUID()), at: .now(), by: "9.9.9", isManual: false)
      try await backups.copy(backup) { _ in }
      let findings = Findings()
      let summary = try await backups.verify(backup, report: findings.add) { _ in }
      #expect(summary.findings == 4 && summary.memes == 2)
      #expect(findings.all.allSatisfy { $0.kind == .wrongDigest })
      #expect(findings.all.allSatisfy { $0.place.contains(liar.meme.id.description) })
      backups.discard(backup)
      #expect(try files(of: scratch) == [])
    }
  }

  @Test func `a damaged page is found`() async throws {
    try await withBackups { scratch, backups in
      for _ in 0..<20 { _ = try await scratch.memes.insert(try truthful(newMeme())) }
      let backup = try backups.begin(BackupID(UUID()), at: .now(), by: "9.9.9", isManual: false)
      try await backups.copy(backup) { _ in }
      let path = "\(scratch.folder.path)/backups/\(backup.fileName).part"
      let file = try FileHandle(forUpdating: URL(filePath: path))
      let bytes = try file.seekToEnd()
      // Beyond the schema and the first tables, so that each damaged page is in use.
      for page in stride(from: UInt64(40), to: bytes / 16_384, by: 3) {
        try file.seek(toOffset: page * 16_384)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 512))
      }
      try file.close()
      let findings = Findings()
      let summary = try await backups.verify(backup, report: findings.add) { _ in }
      #expect(summary.findings > 0)
      #expect(findings.all.contains { $0.kind == .damagedFile })
    }
  }

  @Test func `a non-database is a finding, and a foreign database is rejected`() async throws {
    try await withScratchFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let path = "\(folder)/x.db"
      try Data("no database at all, but long enough to look like something".utf8).write(
        to: URL(filePath: path))
      let verification = CopyVerification(migrations: migrations, digest: trueDigest)
      let summary = try await verification.run(path, report: { _ in }, progress: { _, _ in })
      #expect(summary == CheckSummary(findings: 1))

      let older = "\(folder)/older"
      try await withDatabase(at: older, Array(migrations.dropLast())) { _ in }
      await #expect(throws: UnusableDatabase.self) {
        try await verification.run(
          DataFolder.database(in: older), report: { _ in }, progress: { _, _ in })
      }
    }
  }

  @Test func `cancellation ends the verification`() async throws {
    try await withBackups { scratch, backups in
      for _ in 0..<300 { _ = try await scratch.memes.insert(try truthful(newMeme())) }
      let backup = try backups.begin(BackupID(UUID()), at: .now(), by: "9.9.9", isManual: false)
      try await backups.copy(backup) { _ in }
      let path = "\(scratch.folder.path)/backups/\(backup.fileName).part"
      let verification = CopyVerification(migrations: migrations, digest: trueDigest)
      let (begun, begins) = AsyncStream<Void>.makeStream()
      let task = Task {
        try await verification.run(
          path, report: { _ in },
          progress: { _, _ in
            begins.finish()
            usleep(5000)
          })
      }
      for await _ in begun {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let findings = Findings()
      let over = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await verification.run(path, report: findings.add, progress: { _, _ in })
      }
      await #expect(throws: CancellationError.self) { try await over.value }
      // The check of the structure was interrupted.
      #expect(findings.all.isEmpty)
    }
  }
}
