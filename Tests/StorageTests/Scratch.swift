import Bytes
import Foundation
import Memes
import Objects
import PostgreSQL
import SQL
import SQLite
import Storage
import Support
import Synchronization
import Testing
import mememe

/// A store in its own data folder.
struct Scratch {
  let folder: DataFolder
  let database: any Database
  let memes: MemeStore
  let uploads: UploadStore
  let templates: TemplateStore
  let retries: IdempotencyStore

  init(folder: DataFolder, database: any Database) {
    (self.folder, self.database) = (folder, database)
    (memes, uploads) = (MemeStore(database), UploadStore(database))
    (templates, retries) = (TemplateStore(database), IdempotencyStore(database))
  }
}

extension Scratch {
  /// The table or view with the current totals.
  var totalsTable: String { (database is SQLiteDatabase ? Dialect.sqlite : .postgreSQL).totals }

  /// The database of a test that is only about SQLite.
  var sqlite: SQLiteDatabase { get throws { try #require(database as? SQLiteDatabase) } }
}

func withScratchFolder(_ body: (String) async throws -> Void) async throws {
  let folder = NSTemporaryDirectory() + "mememe-storage-" + UUID().uuidString
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}

/// Runs `body` with an empty store on each of these engines. Most tests hold on every engine.
func withStore(
  on engines: Set<Engine> = Engine.tested, _ body: (Scratch) async throws -> Void
) async throws {
  for engine in engines.sorted(by: { $0.rawValue < $1.rawValue }) {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path)
      switch engine {
      case .sqlite:
        try await MigratedFolder.place(in: URL(filePath: path))
        let database = try MemeDatabase.open(
          in: folder, migrations: migrations, synchronous: .off)
        try await body(Scratch(folder: folder, database: database))
        await database.close()
      case .postgreSQL:
        try await withServerDatabase { try await body(Scratch(folder: folder, database: $0)) }
      case .objects:
        let blobs = Blobs(in: MemoryObjectStore(), verifying: nil)
        try await withServerDatabase { database in
          try await body(
            Scratch(folder: folder, database: ObjectDatabase(database, blobs)))
        }
      }
    }
  }
}

enum Engine: String {
  /// PostgreSQL with an object store. Not for tests that read or write the bytes of rows by themselves.
  case objects
  case postgreSQL = "postgres"
  case sqlite

  /// `TEST_ENGINES` names them; all by default.
  static let tested: Set<Engine> = {
    let names =
      ProcessInfo.processInfo.environment["TEST_ENGINES"] ?? "sqlite,postgres,objects"
    return Set(names.split(separator: ",").compactMap { Engine(rawValue: String($0)) })
  }()
}

/// Runs `body` with a migrated database of its own on the server of the test process.
func withServerDatabase(_ body: (PostgreSQLDatabase) async throws -> Void) async throws {
  let server = try PostgreSQLServer.shared()
  let template = try ServerTemplate.name.withLock { known in
    let name = try known ?? ServerTemplate.make(on: server)
    known = name
    return name
  }
  let name = try server.makeDatabase(from: template)
  // Tests insert thousands of rows with one statement, on a busy machine.
  let database = try MemeDatabase.openAsGuest(
    ServerAddress(server.address(of: name)), migrations: serverMigrations, connections: 8,
    statementTimeout: .seconds(600))
  try await body(database)
  database.close()
  try server.drop(name)
}

/// A migrated database, of which each test gets a copy.
private enum ServerTemplate {
  static let name = Mutex<String?>(nil)

  static func make(on server: PostgreSQLServer) throws -> String {
    let name = try server.makeDatabase()
    try MemeDatabase.open(
      ServerAddress(server.address(of: name)), migrations: serverMigrations, connections: 1
    ).close()
    // Tests insert many rows with functions of SQLite.
    try server.run(
      """
      CREATE FUNCTION randomblob(count integer) RETURNS bytea LANGUAGE sql
      RETURN substring(sha256(uuid_send(gen_random_uuid())) FROM 1 FOR count);
      CREATE FUNCTION zeroblob(count integer) RETURNS bytea LANGUAGE sql
      RETURN decode(repeat('00', count), 'hex')
      """, in: name)
    return name
  }
}

private var serverMigrations: [Migration] {
  Assets.serverMigrations.map { Migration(name: $0.name, sql: $0.sql) }
}

var migrations: [Migration] { Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) } }

/// Returns a meme whose files have `byteCount` bytes and fewer, and differ from those of any other meme.
func newMeme(
  id: UUID = UUID(), by author: Author? = nil, _ visibility: Visibility = .public,
  byteCount: Int = 1000, fit: [CaptionFit] = [], draft: UInt8 = 1,
  at time: Int64 = 1_700_000_000_123, _ change: (inout Recipe) -> Void = { _ in }
) throws -> NewMeme {
  func file(_ count: Int) throws -> (facts: PictureFacts, bytes: Bytes) {
    let mark = withUnsafeBytes(of: id.uuid) { Array($0) }.prefix(count)
    let bytes = Bytes(mark + [UInt8](repeating: mark.last ?? 0, count: count - mark.count))
    let facts = PictureFacts(
      size: PixelSize(width: count + 1, height: 2), format: .jpeg, byteCount: count,
      digest: try digest(UInt8(truncatingIfNeeded: count)))
    return (facts, bytes)
  }
  let files = try [byteCount, byteCount / 2, byteCount / 20, byteCount / 100].map(file)
  var choices = StyleChoices()
  (choices.fill, choices.outline) = (try Color("#ffcc01"), try Color("#0102fe"))
  (choices.outlineWidth, choices.size, choices.font) = (0.2, 0.25, FontID(stored: "comic"))
  (choices.letterCase, choices.align) = (.typed, .right)
  var recipe = Recipe()
  (recipe.top, recipe.choices) = (try CaptionText("one does\nnot 🐈"), choices)
  change(&recipe)
  let meme = Meme(
    id: MemeID(id), author: author, visibility: visibility, version: 3,
    createdAt: Timestamp(millisecondsSince1970: time),
    updatedAt: Timestamp(millisecondsSince1970: -1), recipe: recipe,
    altText: try AltText("“simply” — ‮שלום"), original: files[0].facts, image: files[1].facts,
    tableThumbnail: files[2].facts,
    gridThumbnail: files[3].facts, fit: fit)
  return NewMeme(
    meme: meme, draftDigest: try digest(draft), original: .bytes(files[0].bytes),
    image: files[1].bytes,
    tableThumbnail: files[2].bytes, gridThumbnail: files[3].bytes)
}

extension NewMeme {
  /// For a meme that has its own original.
  func bytes(of role: PictureRole) -> Bytes {
    switch role {
    case .original: if case .bytes(let file) = original { file } else { Bytes() }
    case .image: image
    case .tableThumbnail: tableThumbnail
    case .gridThumbnail: gridThumbnail
    }
  }
}

private struct NotADigest: Error {}

func digest(_ byte: UInt8) throws -> Digest {
  guard let digest = Digest([UInt8](repeating: byte, count: 32)) else { throw NotADigest() }
  return digest
}

/// Returns a distinct key for each number.
func retryKey(_ number: UInt8) throws -> StoredIdempotencyKey {
  let digest = try digest(number)
  return StoredIdempotencyKey("", of: .admin, at: "") { _ in digest }
}

/// Returns the name of the error that `body` throws, or "none".
func failure(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return "none"
  } catch {
    return String("\(error)".prefix { $0 != "(" })
  }
}

extension Database {
  func integer(_ sql: String) throws -> Int? {
    try readers.blockingRead { db in
      try db.value(sql)
    }
  }
}
