import Bytes
import Crypto
import Files
import Foundation
import Memes
import SQL
import SQLite
import Storage
import Synchronization

let keys = BackupKeys(secretKey: [1, 2, 3], adminToken: "token")

let trueDigest: Digester = { bytes in Digest { $0.copyBytes(from: SHA256.digest(of: bytes)) } }

/// Passes `body` a store with backups in its own folder `backups`.
func withBackups(
  freeBytes: Int? = nil,
  _ body: (Scratch, SQLiteBackups) async throws -> Void
) async throws {
  try await withStore(on: [.sqlite]) { scratch in
    let backups = SQLiteBackups(
      try scratch.sqlite, in: scratch.folder.database, to: "\(scratch.folder.path)/backups",
      verification: CopyVerification(migrations: migrations, digest: trueDigest),
      keys: { keys }, disk: DiskReserve(floorBytes: 1000, freeBytes: { _ in freeBytes }))
    try await body(scratch, backups)
  }
}

/// Makes a backup whose verification time is 42.
func made(
  _ backups: SQLiteBackups, at time: Int64 = 1_763_810_993_123
) async throws -> Backup {
  let time = Timestamp(millisecondsSince1970: time)
  let backup = try backups.begin(
    .version7(at: time, random: UUID()), at: time, by: "9.9.9", isManual: false)
  try await backups.copy(backup) { _ in }
  _ = try await backups.verify(backup, report: { _ in }) { _ in }
  return try backups.complete(backup, verifiedAt: Timestamp(millisecondsSince1970: 42))
}

/// The names of the files in the backup folder.
func files(of scratch: Scratch) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: "\(scratch.folder.path)/backups").sorted()
}

/// Returns the same meme with the actual digests of its files.
func truthful(_ new: NewMeme) -> NewMeme {
  func facts(_ facts: PictureFacts, _ role: PictureRole) -> PictureFacts {
    PictureFacts(
      size: facts.size, format: facts.format, byteCount: facts.byteCount,
      digest: trueDigest(new.bytes(of: role)))
  }
  let meme = new.meme
  return NewMeme(
    meme: Meme(
      id: meme.id, author: meme.author, visibility: meme.visibility, version: meme.version,
      createdAt: meme.createdAt, updatedAt: meme.updatedAt, recipe: meme.recipe,
      altText: meme.altText, original: facts(meme.original, .original),
      image: facts(meme.image, .image),
      tableThumbnail: facts(meme.tableThumbnail, .tableThumbnail),
      gridThumbnail: facts(meme.gridThumbnail, .gridThumbnail), fit: meme.fit),
    draftDigest: new.draftDigest, original: .bytes(new.bytes(of: .original)), image: new.image,
    tableThumbnail: new.tableThumbnail, gridThumbnail: new.gridThumbnail)
}

/// Collects the findings of a check, from any thread.
final class Findings: Sendable {
  private let found = Mutex<[Finding]>([])

  var all: [Finding] { found.withLock { $0 } }

  func add(_ finding: Finding) { found.withLock { $0.append(finding) } }
}
