import Bytes
import Foundation
import Memes
import PostgreSQL
import SQL
import Testing

@testable import Storage

/// Two writes at the same time on PostgreSQL end like one of them after the other, wherever the first one is
/// interrupted.
@Suite struct InterleavingTests {
  /// The people and memes of one run.
  struct Scene: Sendable {
    let ada: Author
    let bob: Author
    /// By Ada.
    let meme: MemeID
    /// By nobody.
    let nobodys: MemeID
    let comment: CommentID
    let upload: UploadID
    let reset: Digest
    /// For which unfinished uploads are counted.
    let network: Digest
  }

  /// A write, and the name of its result.
  struct Operation: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (any Database, Scene) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (any Database, Scene) async throws -> Void) {
      (self.name, self.run) = (name, run)
    }

    var testDescription: String { name }

    func result(_ database: any Database, _ scene: Scene) async -> String {
      await failure { try await run(database, scene) }
    }
  }

  private static let time = Timestamp(millisecondsSince1970: 5)

  private static func edit(_ top: String) -> Operation {
    Operation("edit to \(top)") { database, scene in
      let new = try newMeme(id: scene.meme.uuid, by: scene.ada) {
        $0.top = CaptionText(stored: top)
      }
      _ = try await MemeStore(database).replace(
        3, with: RevisedMeme(meme: new.meme, files: [:]), by: .person(scene.ada.id), recording: nil)
    }
  }

  private static func follow(_ back: Bool) -> Operation {
    Operation(back ? "follow back" : "follow") { database, scene in
      try await RelationStore(database).follow(
        (back ? scene.ada : scene.bob).username, by: (back ? scene.bob : scene.ada).id, at: time)
    }
  }

  private static func block(_ back: Bool) -> Operation {
    Operation(back ? "block back" : "block") { database, scene in
      try await RelationStore(database).block(
        (back ? scene.ada : scene.bob).username, by: (back ? scene.bob : scene.ada).id, at: time)
    }
  }

  private static func theme(_ theme: PersonalSettings.Theme) -> Operation {
    Operation("theme \(theme.rawValue)") { database, scene in
      var settings = PersonalSettings()
      settings.theme = theme
      guard
        try await SettingsStore(database).keep(settings, of: scene.ada.id, insteadOf: 0) != nil
      else { throw MemeError.versionMismatch }
    }
  }

  private static func claim(byBob: Bool) -> Operation {
    Operation(byBob ? "claim by Bob" : "claim") { database, scene in
      _ = try await MemeStore(database).claim(
        scene.nobodys, for: byBob ? scene.bob.id : scene.ada.id)
    }
  }

  /// There is room for one of them.
  private static func begin(_ name: String) -> Operation {
    Operation("begin \(name)") { database, scene in
      let upload = UploadProgress(
        id: UploadID(UUID()), byteCount: 10, offset: 0,
        expiresAt: Timestamp(millisecondsSince1970: 1000))
      try await UploadStore(database).begin(
        upload, by: .anonymous, countedFor: scene.network,
        within: UnfinishedUploadLimit(count: 1, bytes: 100), at: time)
    }
  }

  /// There is room for one of them.
  private static func upload(_ name: String) -> Operation {
    Operation("meme \(name)") { database, scene in
      let new = try newMeme(by: scene.ada, byteCount: 1000)
      let limits = StorageLimits(account: 4000)
      _ = try await MemeStore(database, limits: limits).insert(new)
    }
  }

  private static func append(_ piece: String) -> Operation {
    Operation("append \(piece)") { database, scene in
      try await UploadStore(database).append(
        Bytes(piece), to: scene.upload, at: 0, until: Timestamp(millisecondsSince1970: 1000),
        at: time)
    }
  }

  private static func reset(_ password: String) -> Operation {
    Operation("reset to \(password)") { database, scene in
      let user = try await PasswordResetStore(database).reset(
        token: scene.reset, after: Timestamp(millisecondsSince1970: 0),
        to: HashedPassword(password), at: time)
      if user == nil { throw MemeError.notFound }
    }
  }

  private static let like = Operation("like") { database, scene in
    try await ReactionStore(database).put(
      .like, on: scene.meme, by: .person(scene.bob.id), at: time)
  }

  private static let unlike = Operation("unlike") { database, scene in
    try await ReactionStore(database).remove(.like, from: scene.meme, by: .person(scene.bob.id))
  }

  private static let delete = Operation("delete") { database, scene in
    try await MemeStore(database).delete(
      scene.meme, if: .any, by: .person(scene.ada.id), at: time, restorable: true, recording: nil)
  }

  private static let erase = Operation("delete for good") { database, scene in
    try await MemeStore(database).delete(
      scene.meme, if: .any, by: .person(scene.ada.id), at: time, restorable: false, recording: nil)
  }

  private static let comment = Operation("comment") { database, scene in
    let comment = Memes.Comment(
      id: CommentID(UUID()), on: scene.meme, version: 1, author: scene.bob,
      text: try CommentText("hi"), createdAt: time, editedAt: nil, canEdit: true, canDelete: true)
    _ = try await CommentStore(database).insert(
      comment, by: .person(scene.bob.id), recording: nil)
  }

  private static let editComment = Operation("edit comment") { database, scene in
    _ = try await CommentStore(database).replace(
      scene.comment, with: try CommentText("new"), if: .any, by: .person(scene.bob.id), at: time)
  }

  private static let deleteComment = Operation("delete comment") { database, scene in
    try await CommentStore(database).delete(
      scene.comment, if: .any, by: .person(scene.ada.id), at: time, recording: nil)
  }

  private static let leave = Operation("leave") { database, scene in
    let name = scene.bob.username.text
    guard
      try await UserStore(database).delete(
        scene.bob.id, if: HashedPassword("$\(name)"), at: time)
    else { throw MemeError.notFound }
  }

  private static let pairs: [(Operation, Operation)] = [
    (edit("x"), edit("y")), (edit("x"), delete), (edit("x"), erase), (delete, erase),
    (like, delete), (like, erase), (like, like), (like, unlike), (like, comment), (like, edit("x")),
    (like, leave), (comment, leave), (comment, erase), (comment, delete),
    (editComment, deleteComment), (editComment, erase), (deleteComment, deleteComment),
    (follow(false), follow(true)), (follow(false), block(true)), (block(false), block(true)),
    (follow(false), follow(false)), (follow(false), leave),
    (theme(.light), theme(.dark)), (claim(byBob: false), claim(byBob: true)),
    (begin("one"), begin("two")), (upload("one"), upload("two")), (append("a"), append("b")),
    (reset("p"), reset("q")),
  ]

  @Test func `two writes at once end like one after the other`() async throws {
    guard Engine.tested.contains(.postgreSQL) else { return }
    try await withStore(on: [.postgreSQL]) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      var number = 0
      func scene() async throws -> Scene {
        number += 1
        return try await Self.scene(number, store)
      }
      for (one, other) in Self.pairs + Self.pairs.map({ ($1, $0) }) {
        var allowed: Set<String> = []
        for isReversed in [false, true] {
          let scene = try await scene()
          var results = [String]()
          for operation in isReversed ? [other, one] : [one, other] {
            results.append(await operation.result(database, scene))
          }
          if isReversed { results.reverse() }
          allowed.insert(Self.text(results, try Self.state(scene, store)))
        }
        var stop = 0
        while true {
          let scene = try await scene()
          let stepped = SteppedDatabase(database, after: stop)
          let gate = stepped.writer.gate
          async let first = Self.running(one, stepped, gate, scene)
          await withCheckedContinuation { caller in
            DispatchQueue.global().async {
              gate.waitForStop()
              caller.resume()
            }
          }
          async let second = other.result(database, scene)
          try await Task.sleep(for: .milliseconds(gate.hasStopped ? 40 : 0))
          gate.letGoOn()
          let outcome = Self.text([await first, await second], try Self.state(scene, store))
          #expect(
            allowed.contains(outcome),
            "\(one.name), stopped after \(stop) statements, and \(other.name): \(outcome); \(allowed)"
          )
          guard gate.hasStopped else { break }
          stop += 1
        }
      }
      let deadlocks = try store.database.integer(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
      #expect(deadlocks == 0)
    }
  }

  private static func running(
    _ operation: Operation, _ database: SteppedDatabase, _ gate: StepGate, _ scene: Scene
  ) async -> String {
    defer { gate.end() }
    return await operation.result(database, scene)
  }

  private static func text(_ results: [String], _ state: String) -> String {
    "\(results.joined(separator: ", ")): \(state)"
  }

  private static func anyDigest() throws -> Digest {
    let bytes = withUnsafeBytes(of: UUID().uuid) { Array($0) }
    return try #require(Digest(bytes + bytes))
  }

  private static func scene(_ number: Int, _ store: Scratch) async throws -> Scene {
    let (ada, bob) = (
      try await store.person("ada\(number)"), try await store.person("bob\(number)")
    )
    let meme = try await store.make(by: ada)
    let nobodys = try await store.make()
    let comment = Memes.Comment(
      id: CommentID(UUID()), on: meme, version: 1, author: bob, text: try CommentText("old"),
      createdAt: time, editedAt: nil, canEdit: true, canDelete: true)
    _ = try await CommentStore(store.database).insert(
      comment, by: .person(bob.id), recording: nil)
    let upload = UploadProgress(
      id: UploadID(UUID()), byteCount: 10, offset: 0,
      expiresAt: Timestamp(millisecondsSince1970: 1000))
    try await UploadStore(store.database).begin(
      upload, by: .anonymous, countedFor: try digest(255),
      within: UnfinishedUploadLimit(count: 10_000, bytes: 1_000_000), at: time)
    let (reset, network) = (try anyDigest(), try anyDigest())
    _ = try await PasswordResetStore(store.database).insert(
      token: reset, for: EmailAddress("ada\(number)@example.org"), at: time,
      after: Timestamp(millisecondsSince1970: 0), most: 3)
    return Scene(
      ada: ada, bob: bob, meme: meme, nobodys: nobodys, comment: comment.id, upload: upload.id,
      reset: reset, network: network)
  }

  /// What the rows of a scene say, without what differs between two scenes.
  private static func state(_ scene: Scene, _ store: Scratch) throws -> String {
    try store.database.readers.blockingRead { db in
      let memes = try db.all(
        """
        SELECT version, deleted_at IS NULL, top, like_count, comment_count, author IS NULL,
          (SELECT count(*) FROM likes WHERE meme = memes.seq),
          (SELECT count(*) FROM comments WHERE meme = memes.seq AND deleted_at IS NULL)
        FROM memes WHERE id = ? OR id = ? ORDER BY seq
        """, scene.meme.bytes, scene.nobodys.bytes
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
          (SELECT count(*) FROM follows WHERE follower = seq),
          (SELECT count(*) FROM blocks WHERE blocker = seq),
          (SELECT count(*) FROM notifications WHERE user = seq)
        FROM users LEFT JOIN settings ON settings.user = users.seq
        WHERE id = ? OR id = ? ORDER BY seq
        """, scene.ada.id.bytes, scene.bob.id.bytes
      ) { row in
        """
        \(try row.next() as Int)/\(try row.next() as Int) \(try row.next() as Int) \
        \(try row.next() as Bool) \(try row.next() as String) \(try row.next() as Int) \
        \(try row.next() as Int) \(try row.next() as Int)
        """
      }
      let uploads = try db.all(
        "SELECT received FROM unfinished_uploads WHERE id = ? OR beginner = ? ORDER BY seq",
        scene.upload.bytes, scene.network.bytes
      ) { row in "\(try row.next() as Int)" }
      return (memes + people + uploads).joined(separator: "; ")
    }
  }
}
