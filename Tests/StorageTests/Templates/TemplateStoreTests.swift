import Bytes
import Foundation
import Memes
import PostgreSQL
import SQL
import SQLite
import Storage
import Support
import Synchronization
import Testing

/// Templates in the database: stored whole or not at all, and deleted completely.
struct TemplateStoreTests {
  private func file(_ text: String, _ format: PictureFormat) throws -> PictureFile {
    let bytes = Bytes(text)
    return PictureFile(
      facts: PictureFacts(
        size: PixelSize(width: bytes.count, height: 2), format: format, byteCount: bytes.count,
        digest: try digest(UInt8(bytes.count))),
      bytes: bytes)
  }

  private func template(_ text: String = "picture") throws -> (Template, TemplateFiles) {
    let files = TemplateFiles(picture: try file(text, .gif), thumbnail: try file("small", .png))
    var fields = TemplateFields(name: try TemplateName("“name” 🐈"), altText: try AltText("alt"))
    let place = try #require(CaptionBox.Place(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
    fields.pictures = [PictureBox(place: place, rotation: -12.5, fit: .cover)]
    let template = Template(
      id: TemplateID(UUID()), fields,
      createdAt: Timestamp(millisecondsSince1970: 1_700_000_000_123), picture: files.picture.facts,
      thumbnail: files.thumbnail.facts)
    return (template, files)
  }

  private func answer(
    _ template: Template, key: UInt8 = 1, _ text: String = "first"
  ) throws -> IdempotencyRecord {
    IdempotencyRecord(
      key: try retryKey(key), request: try digest(9), made: template.id.uuid, response: Bytes(text),
      at: template.createdAt)
  }

  @Test func `a template survives a round trip, also across processes`() async throws {
    try await withScratchFolder { path in
      let (template, files) = try template()
      let folder = try DataFolder(path: path)
      var database = try MemeDatabase.open(in: folder, migrations: migrations)
      #expect(
        try await TemplateStore(database).insert(template, files, recording: nil) == nil)
      await database.close()
      database = try MemeDatabase.open(in: folder, migrations: migrations)
      let store = TemplateStore(database)
      #expect(try await store.template(template.id) == template)
      #expect(try await store.templates(TemplateListing(limit: 1)).items == [template])
      #expect(try await store.picture(.picture, of: template.id).bytes() == files.picture.bytes)
      let thumbnail = try await store.picture(.thumbnail, of: template.id).loaded()
      #expect(thumbnail.facts == template.thumbnail && thumbnail.bytes == files.thumbnail.bytes)
      await database.close()
    }
  }

  @Test func `a deleted template leaves only its id`() async throws {
    try await withStore { store in
      let (template, files) = try template()
      _ = try await store.templates.insert(template, files, recording: nil)
      var totals = try await StoredTotals(in: store.database)
      #expect((totals.templates, totals.templateBytes) == (1, 12))
      try await store.templates.delete(template.id)
      totals = try await StoredTotals(in: store.database)
      #expect((totals.templates, totals.templateBytes) == (0, 0))
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 0)
      let unknown = TemplateID(UUID())
      for (id, word) in [(template.id, "gone"), (unknown, "notFound")] {
        #expect(
          await failure {
            _ = try await store.templates.template(id)
          } == word)
        #expect(
          await failure {
            _ = try await store.templates.picture(.picture, of: id)
          } == word)
        #expect(
          await failure { try await store.templates.delete(id) }
            == word)
      }
    }
  }

  @Test func `templates of the server have no author and count in no quota`() async throws {
    try await withStore { store in
      let limits = StorageLimits(anonymous: 1)
      let templates = TemplateStore(store.database, limits: limits)
      var (first, files) = try template()
      first.fields.aliases = [try TemplateAlias("cat")]
      #expect(try await templates.insert(ofServer: [(first, files)], onlyIfNew: true))
      // A server that ever had a template gets no starter set.
      #expect(try await !templates.insert(ofServer: [(try template().0, files)], onlyIfNew: true))
      #expect(try await templates.anonymousCount() == 0)
      let run = try await templates.deleteAnonymous(
        continuing: nil,
        recording: AuditEntry(at: .init(millisecondsSince1970: 1), .command, .deleteTemplates, nil),
        PurgeBatch(count: 10, bytes: 1 << 20))
      #expect(run.count == 0)
      #expect(try await templates.template(.alias(try TemplateAlias("cat"))) == first)
      try await templates.delete(first.id)
      #expect(try await !templates.insert(ofServer: [(first, files)], onlyIfNew: true))
      #expect(try await templates.templates(TemplateListing(limit: 9)).items.isEmpty)
      #expect(try store.database.integer("SELECT count(*) FROM template_words") == 0)
    }
  }

  @Test(.enabled(if: Engine.tested.contains(.postgreSQL)))
  func `a template that is deleted at the same moment does not end the deletion of all`()
    async throws
  {
    try await withStore(on: [.postgreSQL]) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      let (first, files) = try template()
      let second = try template().0
      for template in [first, second] {
        _ = try await store.templates.insert(template, files, by: .anonymous, recording: nil)
      }
      // Stops after the DELETE of its template.
      let stepped = SteppedDatabase(database, after: 3)
      let gate = stepped.writer.gate
      async let deletion: Void = Self.deleting(first.id, in: stepped, gate)
      try await blocking { gate.waitForStop() }
      #expect(gate.hasStopped)
      async let bulk = store.templates.deleteAnonymous(
        continuing: nil,
        recording: AuditEntry(at: .init(millisecondsSince1970: 1), .command, .deleteTemplates, nil),
        PurgeBatch(count: 1, bytes: 1 << 20))
      try await store.waitForLock()
      gate.letGoOn()
      try await deletion
      let run = try await bulk
      #expect(run.count == 1 && !run.isOver)
      #expect(try await store.templates.anonymousCount() == 0)
    }
  }

  private static func deleting(
    _ id: TemplateID, in database: SteppedDatabase, _ gate: StepGate
  ) async throws {
    defer { gate.end() }
    try await TemplateStore(database).delete(id, if: .any, by: .admin, recording: nil)
  }

  /// Records the changes of templates.
  private final class Listener: ChangeObserver {
    private let changes = Mutex<[MemeChange]>([])

    func changed(_ change: MemeChange) { changes.withLock { $0.append(change) } }

    /// The changes since the last call.
    func heard() -> [MemeChange] {
      changes.withLock { changes in
        defer { changes = [] }
        return changes
      }
    }
  }

  @Test func `observers hear of every changed and deleted template, here and at other servers`()
    async throws
  {
    try await withStore { store in
      let (listener, others) = (Listener(), Listener())
      let templates = TemplateStore(store.database, observers: [listener])
      let happened = HappenedChanges(store.database.readers)
      let isShared = !(store.database is SQLiteDatabase)
      if isShared { try await happened.poll(telling: []) }
      func expect(_ ids: TemplateID...) async throws {
        let changes = Set(ids.map(MemeChange.templateChanged))
        #expect(Set(listener.heard()) == changes)
        guard isShared else { return }
        try await happened.poll(telling: [others])
        #expect(Set(others.heard()) == changes)
      }
      let (first, files) = try template()
      let (second, third) = (try template().0, try template().0)
      for template in [first, second, third] {
        _ = try await templates.insert(template, files, by: .anonymous, recording: nil)
      }
      try await expect()
      for name in ["new", "new"] {
        _ = try await templates.change(first.id, if: .any, by: .admin, recording: nil) { fields in
          var fields = fields
          fields.name = try TemplateName(name)
          return fields
        }
      }
      try await expect(first.id)
      try await templates.delete(first.id)
      try await expect(first.id)
      _ = await failure { try await templates.delete(first.id) }
      try await expect()
      _ = try await templates.deleteAnonymous(
        continuing: nil,
        recording: AuditEntry(at: .init(millisecondsSince1970: 1), .command, .deleteTemplates, nil),
        PurgeBatch(count: 10, bytes: 1 << 20))
      try await expect(second.id, third.id)
    }
  }

  @Test func `all templates of the server are stored, or none`() async throws {
    try await withStore { store in
      let (first, files) = try template()
      var new = [(first, files), (try template().0, files)]
      for index in new.indices { new[index].0.fields.aliases = [try TemplateAlias("cat")] }
      await #expect(throws: MemeError.self) {
        try await store.templates.insert(ofServer: new, onlyIfNew: false)
      }
      #expect(try store.database.integer("SELECT count(*) FROM templates") == 0)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 0)
    }
  }

  @Test func `a second request with the same key writes nothing`() async throws {
    try await withStore { store in
      let (first, files) = try template()
      let (second, others) = try template("another")
      _ = try await store.templates.insert(first, files, recording: answer(first))
      let kept = try await store.templates.insert(
        second, others, recording: answer(second, "second"))
      #expect(kept?.response == Bytes("first"))
      #expect(try await store.templates.templates(TemplateListing(limit: 9)).items == [first])
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 2)
    }
  }

  @Test func `a page ends at its limit, and the next one continues there`() async throws {
    try await withStore { store in
      var made: [Template] = []
      for number in 0..<3 {
        let (template, files) = try template(String(repeating: "x", count: number + 1))
        _ = try await store.templates.insert(template, files, recording: nil)
        made.append(template)
      }
      let first = try await store.templates.templates(TemplateListing(limit: 2))
      #expect(first.items == [made[2], made[1]])
      let next = try #require(first.next)
      let rest = try await store.templates.templates(
        TemplateListing(after: next, limit: 2))
      #expect(rest.items == [made[0]] && rest.next == nil)
    }
  }

  @Test func `a person's templates are listed for that person only, page by page`() async throws {
    try await withStore { store in
      let (ada, eve) = (try await store.person("ada"), try await store.person("eve"))
      var made: [Template] = []
      for viewer in [Principal.person(ada.id), .person(eve.id), .person(ada.id), .admin] {
        let (template, files) = try template()
        _ = try await store.templates.insert(template, files, by: viewer, recording: nil)
        made.append(template)
      }
      let first = try await store.templates.templates(of: ada.id, after: nil, limit: 1)
      #expect(first.items == [made[2]])
      let next = try #require(first.next)
      let rest = try await store.templates.templates(of: ada.id, after: next, limit: 1)
      #expect(rest.items == [made[0]] && rest.next == nil)
      let nobody = try await store.templates.templates(of: UserID(UUID()), after: nil, limit: 9)
      #expect(nobody.items.isEmpty && nobody.next == nil)
    }
  }

  @Test func `a meme of a template has a copy, and fails if the template was deleted`()
    async throws
  {
    // The meme has other facts than the template, which a read of an object rejects.
    try await withStore(on: Engine.tested.subtracting([.objects])) { store in
      let (template, files) = try template()
      _ = try await store.templates.insert(template, files, recording: nil)
      func meme() throws -> NewMeme {
        let plain = try newMeme()
        return NewMeme(
          meme: plain.meme, draftDigest: plain.draftDigest, original: .template(template.id),
          image: plain.image, tableThumbnail: plain.tableThumbnail,
          gridThumbnail: plain.gridThumbnail)
      }
      let made = try meme()
      _ = try await store.memes.insert(made)
      try await store.templates.delete(template.id)
      let original = try await store.memes.picture(.original, of: made.meme.id)
      #expect(try await original.file.bytes() == files.picture.bytes)
      let late = try meme()
      #expect(
        await failure { _ = try await store.memes.insert(late) }
          == "invalid")
      #expect(try store.database.integer("SELECT count(*) FROM memes") == 1)
      #expect(try store.database.integer("SELECT count(*) FROM blobs") == 4)
    }
  }
}
