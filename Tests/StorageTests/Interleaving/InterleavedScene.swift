import Bytes
import Foundation
import Memes
import SQL
import Testing

@testable import Storage

/// The rows that two interleaved writes are about.
struct InterleavedScene: Sendable {
  let ada: Author
  let bob: Author
  /// By Ada.
  let meme: MemeID
  /// By Ada, deleted.
  let trashed: MemeID
  /// By nobody.
  let nobodys: MemeID
  /// By Bob, on Ada's meme.
  let comment: CommentID
  let upload: UploadID
  /// A whole upload of Ada.
  let whole: UploadID
  let template: TemplateID
  let report: ReportID
  /// Of Ada.
  let session: Session
  let reset: Digest
  /// For which unfinished uploads are counted.
  let network: Digest
  let key: IdempotencyRecord
  /// How many rows each table had before the writes.
  fileprivate let rows: [Int]

  static let time = Timestamp(millisecondsSince1970: 5)
  static let expiry = Timestamp(millisecondsSince1970: 1000)
  static let lifetime = SessionLifetime(idleSeconds: 1 << 20, maximumSeconds: 1 << 20)
}

extension InterleavedScene {
  init(_ number: Int, _ store: Scratch) async throws {
    let (database, time) = (store.database, Self.time)
    try await Self.tidy(store)
    (ada, bob) = (try await store.person("ada\(number)"), try await store.person("bob\(number)"))
    (meme, trashed) = (try await store.make(by: ada), try await store.make(by: ada))
    nobodys = try await store.make()
    try await store.memes.delete(
      trashed, if: .any, by: .person(ada.id), at: time, restorable: true, recording: nil)
    let old = Memes.Comment(
      id: CommentID(UUID()), on: meme, version: 1, author: bob, text: try CommentText("old"),
      createdAt: time, editedAt: nil, canEdit: true, canDelete: true)
    comment = old.id
    _ = try await CommentStore(database).insert(old, by: .person(bob.id), recording: nil)
    upload = UploadID(UUID())
    try await store.uploads.begin(
      UploadProgress(id: upload, byteCount: 10, offset: 0, expiresAt: Self.expiry),
      by: .anonymous, countedFor: try digest(255),
      within: UnfinishedUploadLimit(count: 10_000, bytes: 1_000_000), at: time)
    let stored = try Self.upload(UploadID(UUID()))
    whole = stored.id
    _ = try await store.uploads.insert(
      stored, Bytes("whole"), by: .person(ada.id), recording: nil, at: time)
    let (drawn, files) = try Self.template()
    template = drawn.id
    _ = try await store.templates.insert(drawn, files, by: .anonymous, recording: nil)
    report = ReportID(UUID())
    _ = try await ReportStore(database).file(
      FiledReport(id: report, createdAt: time), on: .meme(nobodys),
      because: ReportReason(stored: "x"), by: .person(ada.id), recording: nil)
    session = Session(
      id: SessionID(UUID()), person: ada.id, createdAt: time, lastUsedAt: time, client: nil)
    _ = try await SessionStore(database, lifetime: Self.lifetime).insert(
      session, token: try Self.anyDigest(), if: HashedPassword("$\(ada.username.text)"),
      becoming: nil)
    (reset, network) = (try Self.anyDigest(), try Self.anyDigest())
    _ = try await PasswordResetStore(database).insert(
      token: reset, for: EmailAddress("ada\(number)@example.org"), at: time,
      after: Timestamp(millisecondsSince1970: 0), most: 3)
    let digest = try Self.anyDigest()
    key = IdempotencyRecord(
      key: StoredIdempotencyKey("", of: .admin, at: "") { _ in digest }, request: digest,
      made: UUID(), response: Bytes("first"), at: Timestamp(millisecondsSince1970: 1))
    rows = try Self.rows(store)
  }

  /// Finishes the purges, so that those of a scene find nothing of the scenes before it.
  private static func tidy(_ store: Scratch) async throws {
    let late = Timestamp(millisecondsSince1970: 1 << 40)
    while try await !store.memes.purge(deletedUpTo: late, .standard).isEmpty {}
    while try await store.memes.pruneTombstones(deletedUpTo: late, atMost: 100) > 0 {}
    let notifications = NotificationStore(store.database)
    while try await notifications.purgeNotifications(upTo: late, at: late, .standard) > 0 {}
    while try await store.uploads.purgeUploads(expiredAt: late, .standard) > 0 {}
    while try await UserStore(store.database).purgeDiscarded(.standard) > 0 {}
  }

  static func anyDigest() throws -> Digest {
    let bytes = withUnsafeBytes(of: UUID().uuid) { Array($0) }
    return try #require(Digest(bytes + bytes))
  }

  static func file(_ text: String, _ format: PictureFormat = .png) throws -> PictureFile {
    let facts = PictureFacts(
      size: PixelSize(width: 10, height: 2), format: format, byteCount: text.utf8.count,
      digest: try digest(UInt8(text.utf8.count)))
    return PictureFile(facts: facts, bytes: Bytes(text))
  }

  static func upload(_ id: UploadID) throws -> Upload {
    Upload(id: id, picture: try file("whole").facts, expiresAt: expiry)
  }

  static func template() throws -> (Template, TemplateFiles) {
    let files = TemplateFiles(picture: try file("picture"), thumbnail: try file("small"))
    let template = Template(
      id: TemplateID(UUID()), name: try TemplateName("name"), altText: try AltText("alt"),
      createdAt: time, picture: files.picture.facts, thumbnail: files.thumbnail.facts)
    return (template, files)
  }
}

extension InterleavedScene {
  /// All tables, except those whose rows have no meaning by themselves.
  private static let tables = [
    "users", "sessions", "password_resets", "settings", "user_words", "blobs", "discarded_blobs",
    "avatars", "memes", "pictures", "deleted_memes", "derived_pictures", "meme_words", "changes",
    "uploads", "unfinished_uploads", "upload_pieces", "templates", "deleted_templates", "retries",
    "follows", "blocks", "discarded_memes", "likes", "favorites", "comments", "notifications",
    "taken_back", "audit", "reports",
  ]

  private static func rows(_ store: Scratch) throws -> [Int] {
    let counts = tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: ", ")
    return try store.database.readers.blockingRead { db in
      try db.first("SELECT \(counts)") { row in
        var counts: [Int] = []
        for _ in tables { counts.append(try row.next()) }
        return counts
      } ?? []
    }
  }

  /// What the rows of a scene say, without what differs between two scenes.
  func state(_ store: Scratch) throws -> String {
    let more = zip(Self.tables, zip(rows, try Self.rows(store))).filter { $1.0 != $1.1 }
      .map { "\($0) \($1.1 - $1.0)" }
    return try store.database.readers.blockingRead { db in
      let memes = try db.all(
        """
        SELECT version, deleted_at IS NULL, top, like_count, comment_count, author IS NULL,
          (SELECT count(*) FROM likes WHERE meme = memes.seq),
          (SELECT count(*) FROM comments WHERE meme = memes.seq AND deleted_at IS NULL)
        FROM memes WHERE id IN (?, ?, ?) ORDER BY seq
        """, meme.bytes, trashed.bytes, nobodys.bytes
      ) { row in
        """
        v\(try row.next() as Int) \(try row.next() as Bool) \(try row.next() as String) \
        \(try row.next() as Int) \(try row.next() as Int) \(try row.next() as Bool) \
        \(try row.next() as Int) \(try row.next() as Int)
        """
      }
      let people = try db.all(
        """
        SELECT followers, following, stored_bytes, password LIKE '$%', coalesce(theme, '-'),
          (SELECT count(*) FROM follows WHERE follower = users.seq),
          (SELECT count(*) FROM blocks WHERE blocker = users.seq),
          (SELECT count(*) FROM notifications WHERE user = users.seq AND NOT is_read),
          suspended_at IS NULL, role, display_name LIKE '%🐈', coalesce(avatar, '-'),
          (SELECT coalesce(max(last_used_at), 0) FROM sessions WHERE user = users.seq)
        FROM users LEFT JOIN settings ON settings.user = users.seq
        WHERE id = ? OR id = ? ORDER BY users.seq
        """, ada.id.bytes, bob.id.bytes
      ) { row in
        """
        \(try row.next() as Int)/\(try row.next() as Int) \(try row.next() as Int) \
        \(try row.next() as Bool) \(try row.next() as String) \(try row.next() as Int) \
        \(try row.next() as Int) \(try row.next() as Int) \(try row.next() as Bool) \(try row.next() as Int) \
        \(try row.next() as Bool) \(try row.next() as String) \(try row.next() as Int)
        """
      }
      let others = try db.all(
        """
        SELECT received FROM unfinished_uploads WHERE id = ? OR beginner = ?
        UNION ALL SELECT count FROM shares WHERE meme = (SELECT seq FROM memes WHERE id = ?)
        UNION ALL SELECT status FROM reports WHERE id = ?
        """, upload.bytes, network.bytes, meme.bytes, report.bytes
      ) { row in "\(try row.next() as Int)" }
      return (memes + people + others.sorted() + more).joined(separator: "; ")
    }
  }
}
