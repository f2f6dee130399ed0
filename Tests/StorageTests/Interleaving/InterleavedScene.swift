import Bytes
import Foundation
import Memes
import SQL
import Testing

@testable import Storage

/// The people and memes of one run of two writes.
struct InterleavedScene: Sendable {
  let ada: Author
  let bob: Author
  /// Two admins.
  let root, chief: Author
  /// By Ada. Bob has not liked it.
  let meme: MemeID
  /// By Ada, in the trash.
  let trashed: MemeID
  /// Without an author.
  let nobodys: MemeID
  let comment: CommentID
  /// An unfinished upload, and a finished one by Ada.
  let upload, whole: UploadID
  /// By Ada.
  let template: TemplateID
  /// One of two open reports about Ada. 99 more are about ``nobodys``, without a reporter.
  let report: ReportID
  let reset: Digest
  /// The code of an invitation by Bob, for one account.
  let invitation: Digest
  /// Sessions of Ada and Bob, who have no access tokens.
  let adasSession: SessionID
  let bobsSession: SessionID
  /// Ada's connection, and its mapping, which records all events of her memes.
  let connection: ConnectionID
  let mapping: MappingID
  /// Bob's connection with the last mapping but one. He has the last connection but one.
  let fullConnection: ConnectionID
  /// For which unfinished uploads are counted.
  let network: Digest
  /// Of a meme that does not exist yet.
  let twin = MemeID(UUID())
  /// How many rows each table had before the writes.
  let rows: [Int]

  private static let time = Timestamp(millisecondsSince1970: 5)

  static func anyDigest() throws -> Digest {
    let bytes = withUnsafeBytes(of: UUID().uuid) { Array($0) }
    return try #require(Digest(bytes + bytes))
  }

  static func newInvitation() -> Invitation {
    Invitation(
      id: InvitationID(UUID()), inviter: nil, createdAt: time,
      terms: Invitation.Terms(
        email: nil, role: .member, uses: 1, expiresAt: Timestamp(millisecondsSince1970: 1000)))
  }

  static func newTemplate() throws -> (Template, TemplateFiles) {
    func file(_ text: String) throws -> PictureFile {
      let bytes = Bytes(text)
      return PictureFile(
        facts: PictureFacts(
          size: PixelSize(width: 1, height: 1), format: .png, byteCount: bytes.count,
          digest: try digest(1)),
        bytes: bytes)
    }
    let files = TemplateFiles(picture: try file("picture"), thumbnail: try file("small"))
    let template = Template(
      id: TemplateID(UUID()),
      TemplateFields(name: try TemplateName("name"), altText: try AltText("alt")),
      createdAt: time, picture: files.picture.facts, thumbnail: files.thumbnail.facts)
    return (template, files)
  }

  /// Makes a scene, and removes what earlier ones left for purges.
  init(_ number: Int, in store: Scratch) async throws {
    try await Self.clear(store)
    (ada, bob) = (try await store.person("ada\(number)"), try await store.person("bob\(number)"))
    root = try await store.person("root\(number)")
    chief = try await store.person("chief\(number)")
    for admin in [root, chief] {
      try await AccountStatusStore(store.database).change(
        AccountChange(role: .admin), of: admin.username, by: .command, at: Self.time)
    }
    (meme, nobodys) = (try await store.make(by: ada), try await store.make())
    trashed = try await store.make(by: ada)
    try await store.memes.delete(
      trashed, if: .any, by: .person(ada.id), at: Self.time, restorable: true, recording: nil)
    connection = try await Self.connect(ada, in: store.database)
    try await Self.map(
      connection, of: ada,
      [.memeCreated, .memeUpdated, .memeDeleted, .commentCreated, .likeCreated],
      in: store.database)
    mapping = try #require(
      try await ConnectionStore(store.database).connection(connection, for: .person(ada.id))
        .mappings.first?.id)
    let comment = Memes.Comment(
      id: CommentID(UUID()), on: meme, version: 1, author: bob, text: try CommentText("old"),
      createdAt: Self.time, editedAt: nil, canEdit: true, canDelete: true)
    _ = try await CommentStore(store.database).insert(
      comment, by: .person(bob.id), recording: nil)
    self.comment = comment.id
    (reset, network) = (try Self.anyDigest(), try Self.anyDigest())
    _ = try await PasswordResetStore(store.database).insert(
      token: reset, for: EmailAddress("ada\(number)@example.org"), at: Self.time,
      after: Timestamp(millisecondsSince1970: 0), most: 3)
    invitation = try Self.anyDigest()
    _ = try await InvitationStore(store.database).insert(
      Self.newInvitation(), code: invitation, by: .person(bob.id), most: 2, recording: nil)
    adasSession = try await Self.signIn(ada, in: store)
    bobsSession = try await Self.signIn(bob, in: store)
    fullConnection = try await Self.connect(bob, in: store.database)
    for _ in 2..<Connection.maximumOfMember { _ = try await Self.connect(bob, in: store.database) }
    for _ in 1..<Mapping.maximumCount {
      try await Self.map(fullConnection, of: bob, in: store.database)
    }
    let (template, files) = try Self.newTemplate()
    _ = try await store.templates.insert(template, files, by: .person(ada.id), recording: nil)
    for _ in 0..<2 {
      let (other, files) = try Self.newTemplate()
      _ = try await store.templates.insert(other, files, by: .anonymous, recording: nil)
    }
    self.template = template.id
    (upload, whole) = try await Self.makeUploads(of: ada, in: store)
    report = ReportID(UUID())
    for (id, reporter) in [(report, Principal.person(bob.id)), (ReportID(UUID()), .anonymous)] {
      _ = try await ReportStore(store.database).file(
        FiledReport(id: id, createdAt: Self.time), on: .person(ada.username),
        because: ReportReason(stored: "x"), by: reporter, recording: nil)
    }
    try await Self.makeRows(about: nobodys, of: ada, in: store)
    rows = try Self.rows(in: store)
  }

  private static func signIn(_ person: Author, in store: Scratch) async throws -> SessionID {
    let session = Session(
      id: SessionID(UUID()), person: person.id, createdAt: time, lastUsedAt: time, client: nil)
    let lifetime = SessionLifetime(idleSeconds: 100, maximumSeconds: 100)
    _ = try await SessionStore(store.database, lifetime: lifetime).insert(
      session, token: try anyDigest(), if: HashedPassword("$\(person.username.text)"),
      becoming: nil)
    return session.id
  }

  private static func makeUploads(
    of ada: Author, in store: Scratch
  ) async throws -> (UploadID, UploadID) {
    let upload = UploadProgress(
      id: UploadID(UUID()), byteCount: 10, offset: 0,
      expiresAt: Timestamp(millisecondsSince1970: 1000))
    try await UploadStore(store.database).begin(
      upload, by: .person(ada.id), countedFor: try digest(255),
      within: UnfinishedUploadLimit(count: 10_000, bytes: 1_000_000), at: time)
    let bytes = Bytes("original")
    let facts = PictureFacts(
      size: PixelSize(width: 1, height: 1), format: .jpeg, byteCount: bytes.count,
      digest: try digest(2))
    let whole = Upload(
      id: UploadID(UUID()), picture: facts, expiresAt: Timestamp(millisecondsSince1970: 1000))
    _ = try await UploadStore(store.database).insert(
      whole, bytes, by: .person(ada.id), recording: nil, at: time)
    return (upload.id, whole.id)
  }

  /// What no single call makes: 99 anonymous reports, a purged meme with likes, and the records of two others.
  private static func makeRows(
    about meme: MemeID, of ada: Author, in store: Scratch
  ) async throws {
    try await store.database.writer.transaction { db in
      try db.run(
        """
        INSERT INTO reports (id, kind, subject, reason, created_at)
        SELECT randomblob(16), 0, ?, 'x', 5 FROM generate_series(1, 99)
        """, meme.bytes)
      // The purge of an earlier scene may have left some.
      try db.run("DELETE FROM likes WHERE meme = -1")
      try db.run("DELETE FROM discarded_memes WHERE meme = -1")
      try db.run("INSERT INTO discarded_memes (meme) VALUES (-1)")
      try db.run(
        "INSERT INTO likes (meme, user, created_at) SELECT -1, seq, 5 FROM users ORDER BY seq DESC LIMIT 2"
      )
      try db.run(
        """
        INSERT INTO likes (meme, user, created_at)
        SELECT -1, seq, 6 FROM users WHERE username IN ('liker1', 'liker2', 'liker3')
        """)
      try db.run("UPDATE users SET last_change = 2000 WHERE id = ?", ada.id.bytes)
      for number in 1...2 {
        let id = MemeID(UUID()).bytes
        try db.run(
          "INSERT INTO deleted_memes (id, deleted_at, author) SELECT ?, 4, seq FROM users WHERE id = ?",
          id, ada.id.bytes)
        try db.run(
          "INSERT INTO changes (author, number, meme, deleted_at) SELECT seq, ?, ?, 4 FROM users WHERE id = ?",
          1000 + number, id, ada.id.bytes)
      }
      try db.run("INSERT INTO blobs (bytes) SELECT randomblob(1) FROM generate_series(1, 3)")
      try db.run(
        """
        INSERT INTO discarded_blobs (blob, byte_count)
        SELECT id, 1 FROM blobs ORDER BY id DESC LIMIT 3
        """)
    }
  }

  private static func clear(_ store: Scratch) async throws {
    try await store.database.writer.transaction { db in
      try db.run("DELETE FROM likes WHERE meme = -1")
      try db.run("DELETE FROM discarded_memes")
      try db.run("DELETE FROM derived_pictures")
      try db.run("DELETE FROM notifications")
      try db.run("DELETE FROM discarded_blobs")
      try db.run("DELETE FROM templates WHERE author IS NULL")
      try db.run("DELETE FROM retries")
      try db.run("DELETE FROM deleted_memes")
      try db.run("UPDATE uploads SET expires_at = 9000 WHERE expires_at <> 9000")
      try db.run("UPDATE unfinished_uploads SET expires_at = 9000 WHERE expires_at <> 9000")
      try db.run("UPDATE memes SET deleted_at = 9000 WHERE deleted_at <> 9000")
    }
  }
}
