import Bytes
import Foundation
import Memes
import SQL

@testable import Storage

/// A write, and the name of its result.
struct InterleavedWrite: Sendable {
  let name: String
  let run: @Sendable (any Database, InterleavedScene) async throws -> Void

  init(
    _ name: String, _ run: @escaping @Sendable (any Database, InterleavedScene) async throws -> Void
  ) { (self.name, self.run) = (name, run) }

  func result(_ database: any Database, _ scene: InterleavedScene) async -> String {
    await failure { try await run(database, scene) }
  }
}

/// The writes of all stores. Those of the repair are not among them, because they run alone.
extension InterleavedWrite {
  private static let time = InterleavedScene.time

  static func edit(_ top: String) -> InterleavedWrite {
    InterleavedWrite("edit to \(top)") { database, scene in
      let new = try newMeme(id: scene.meme.uuid, by: scene.ada) {
        $0.top = CaptionText(stored: top)
      }
      _ = try await MemeStore(database).replace(
        3, with: RevisedMeme(meme: new.meme, files: [:]), by: .person(scene.ada.id), recording: nil)
    }
  }

  static func follow(_ back: Bool) -> InterleavedWrite {
    InterleavedWrite(back ? "follow back" : "follow") { database, scene in
      try await RelationStore(database).follow(
        (back ? scene.ada : scene.bob).username, by: (back ? scene.bob : scene.ada).id, at: time)
    }
  }

  static func block(_ back: Bool) -> InterleavedWrite {
    InterleavedWrite(back ? "block back" : "block") { database, scene in
      try await RelationStore(database).block(
        (back ? scene.ada : scene.bob).username, by: (back ? scene.bob : scene.ada).id, at: time)
    }
  }

  static func theme(_ theme: PersonalSettings.Theme) -> InterleavedWrite {
    InterleavedWrite("theme \(theme.rawValue)") { database, scene in
      var settings = PersonalSettings()
      settings.theme = theme
      guard
        try await SettingsStore(database).keep(settings, of: scene.ada.id, insteadOf: 0) != nil
      else { throw MemeError.versionMismatch }
    }
  }

  static func claim(byBob: Bool) -> InterleavedWrite {
    InterleavedWrite(byBob ? "claim by Bob" : "claim") { database, scene in
      _ = try await MemeStore(database).claim(
        scene.nobodys, for: byBob ? scene.bob.id : scene.ada.id)
    }
  }

  /// There is room for one of them.
  static func begin(_ name: String) -> InterleavedWrite {
    InterleavedWrite("begin \(name)") { database, scene in
      let upload = UploadProgress(
        id: UploadID(UUID()), byteCount: 10, offset: 0,
        expiresAt: InterleavedScene.expiry)
      try await UploadStore(database).begin(
        upload, by: .anonymous, countedFor: scene.network,
        within: UnfinishedUploadLimit(count: 1, bytes: 100), at: time)
    }
  }

  /// There is room for one of them.
  static func upload(_ name: String) -> InterleavedWrite {
    InterleavedWrite("meme \(name)") { database, scene in
      let new = try newMeme(by: scene.ada, byteCount: 1000)
      let limits = StorageLimits(account: 5000)
      _ = try await MemeStore(database, limits: limits).insert(new)
    }
  }

  static func append(_ piece: String) -> InterleavedWrite {
    InterleavedWrite("append \(piece)") { database, scene in
      try await UploadStore(database).append(
        Bytes(piece), to: scene.upload, at: 0, until: InterleavedScene.expiry,
        at: time)
    }
  }

  static func reset(_ password: String) -> InterleavedWrite {
    InterleavedWrite("reset to \(password)") { database, scene in
      let user = try await PasswordResetStore(database).reset(
        token: scene.reset, after: Timestamp(millisecondsSince1970: 0),
        to: HashedPassword(password), at: time)
      if user == nil { throw MemeError.notFound }
    }
  }

  static let like = InterleavedWrite("like") { database, scene in
    try await ReactionStore(database).put(
      .like, on: scene.meme, by: .person(scene.bob.id), at: time)
  }

  static let unlike = InterleavedWrite("unlike") { database, scene in
    try await ReactionStore(database).remove(.like, from: scene.meme, by: .person(scene.bob.id))
  }

  static let delete = InterleavedWrite("delete") { database, scene in
    try await MemeStore(database).delete(
      scene.meme, if: .any, by: .person(scene.ada.id), at: time, restorable: true, recording: nil)
  }

  static let erase = InterleavedWrite("delete for good") { database, scene in
    try await MemeStore(database).delete(
      scene.meme, if: .any, by: .person(scene.ada.id), at: time, restorable: false, recording: nil)
  }

  static let comment = InterleavedWrite("comment") { database, scene in
    let comment = Memes.Comment(
      id: CommentID(UUID()), on: scene.meme, version: 1, author: scene.bob,
      text: try CommentText("hi"), createdAt: time, editedAt: nil, canEdit: true, canDelete: true)
    _ = try await CommentStore(database).insert(
      comment, by: .person(scene.bob.id), recording: nil)
  }

  static let editComment = InterleavedWrite("edit comment") { database, scene in
    _ = try await CommentStore(database).replace(
      scene.comment, with: try CommentText("new"), if: .any, by: .person(scene.bob.id), at: time)
  }

  static let deleteComment = InterleavedWrite("delete comment") { database, scene in
    try await CommentStore(database).delete(
      scene.comment, if: .any, by: .person(scene.ada.id), at: time, recording: nil)
  }

  static let leave = InterleavedWrite("leave") { database, scene in
    let name = scene.bob.username.text
    guard
      try await UserStore(database).delete(
        scene.bob.id, if: HashedPassword("$\(name)"), at: time)
    else { throw MemeError.notFound }
  }

  // People.

  static let suspend = InterleavedWrite("suspend") { database, scene in
    try await AccountStatusStore(database).suspend(
      scene.ada.username, because: nil, by: .command, at: time)
  }

  static let unsuspend = InterleavedWrite("unsuspend") { database, scene in
    try await AccountStatusStore(database).unsuspend(scene.ada.username, by: .command, at: time)
  }

  static func give(_ role: Role) -> InterleavedWrite {
    InterleavedWrite("give \(role)") { database, scene in
      try await AccountStatusStore(database).give(
        role, to: scene.ada.username, by: .command, at: time)
    }
  }

  /// With a name or an address that another one uses too.
  static func register(_ name: String, _ address: String) -> InterleavedWrite {
    InterleavedWrite("register \(name) \(address)") { database, scene in
      let number = scene.ada.username.text.dropFirst(3)
      let user = User(
        id: UserID(UUID()), username: try Username("\(name)\(number)"),
        email: try EmailAddress("\(address)\(number)@example.org"), displayName: nil,
        biography: nil, createdAt: time, passwordChangedAt: time)
      _ = try await UserStore(database).insert(
        Account(user: user, password: HashedPassword("$")), recording: nil)
    }
  }

  static func rename(byBob: Bool) -> InterleavedWrite {
    InterleavedWrite(byBob ? "rename Bob" : "rename") { database, scene in
      let change = ProfileChange(
        displayName: .set(try DisplayName("New")), biography: nil, email: nil)
      let user = try await UserStore(database).change(
        change, of: byBob ? scene.bob.id : scene.ada.id, if: nil)
      if user == nil { throw MemeError.notFound }
    }
  }

  /// To the same address for both.
  static func move(byBob: Bool) -> InterleavedWrite {
    InterleavedWrite(byBob ? "address of Bob" : "address") { database, scene in
      let change = ProfileChange(
        displayName: nil, biography: nil,
        email: try EmailAddress("new\(scene.ada.username.text)@example.org"))
      _ = try await UserStore(database).change(
        change, of: byBob ? scene.bob.id : scene.ada.id, if: nil)
    }
  }

  static func password(_ text: String) -> InterleavedWrite {
    InterleavedWrite("password \(text)") { database, scene in
      guard
        try await UserStore(database).setPassword(
          HashedPassword(text), of: scene.ada.id, insteadOf: ada(scene), at: time,
          keeping: scene.session.id)
      else { throw MemeError.wrongCredentials }
    }
  }

  private static func ada(_ scene: InterleavedScene) -> HashedPassword {
    HashedPassword("$\(scene.ada.username.text)")
  }

  private static func sessions(_ database: any Database) -> SessionStore {
    SessionStore(database, lifetime: InterleavedScene.lifetime)
  }

  static let signIn = InterleavedWrite("sign in") { database, scene in
    let session = Session(
      id: SessionID(UUID()), person: scene.ada.id, createdAt: time, lastUsedAt: time, client: nil)
    guard
      try await sessions(database).insert(
        session, token: InterleavedScene.anyDigest(), if: ada(scene), becoming: nil)
    else { throw MemeError.wrongCredentials }
  }

  static func use(_ milliseconds: Int64) -> InterleavedWrite {
    InterleavedWrite("use at \(milliseconds)") { database, scene in
      try await sessions(database).noteUse(
        of: scene.session, at: Timestamp(millisecondsSince1970: milliseconds))
    }
  }

  static let signOut = InterleavedWrite("sign out") { database, scene in
    try await sessions(database).end(scene.session.id, of: scene.ada.id)
  }

  static let signOutAll = InterleavedWrite("sign out everywhere") { database, scene in
    try await sessions(database).endAll(of: scene.ada.id)
  }

  /// There is room for one of them.
  static func ask(_ name: String) -> InterleavedWrite {
    InterleavedWrite("ask for reset \(name)") { database, scene in
      let user = try await PasswordResetStore(database).insert(
        token: InterleavedScene.anyDigest(),
        for: EmailAddress("\(scene.ada.username.text)@example.org"), at: time,
        after: Timestamp(millisecondsSince1970: 0), most: 2)
      if user == nil { throw MemeError.notFound }
    }
  }

  static let withdrawReset = InterleavedWrite("withdraw reset") { database, scene in
    try await PasswordResetStore(database).withdraw(token: scene.reset)
  }

  static func avatar(_ text: String?) -> InterleavedWrite {
    InterleavedWrite("avatar \(text ?? "none")") { database, scene in
      let avatar = try text.map { text in
        Avatar(
          files: try [.small: "s", .medium: "mm", .large: text].mapValues {
            try InterleavedScene.file($0)
          })
      }
      _ = try await AvatarStore(database).keep(avatar, of: scene.bob.id)
    }
  }

  static let unfollow = InterleavedWrite("unfollow") { database, scene in
    try await RelationStore(database).unfollow(scene.bob.username, by: scene.ada.id)
  }

  static let unblock = InterleavedWrite("unblock") { database, scene in
    try await RelationStore(database).unblock(scene.bob.username, by: scene.ada.id)
  }

  static let withdraw = InterleavedWrite("withdraw reactions") { database, scene in
    _ = try await UserStore(database).withdraw(
      scene.bob.id, if: HashedPassword("$\(scene.bob.username.text)"), atMost: 100)
  }

  // Memes.

  static let favor = InterleavedWrite("favorite") { database, scene in
    try await ReactionStore(database).put(
      .favorite, on: scene.meme, by: .person(scene.bob.id), at: time)
  }

  static let unfavor = InterleavedWrite("no favorite") { database, scene in
    try await ReactionStore(database).remove(.favorite, from: scene.meme, by: .person(scene.bob.id))
  }

  static let readAll = InterleavedWrite("mark read") { database, scene in
    try await NotificationStore(database).markRead(through: nil, by: scene.ada.id)
  }

  static let purgeNotifications = InterleavedWrite("purge notifications") { database, scene in
    _ = try await NotificationStore(database).purgeNotifications(
      upTo: time, at: time, .standard)
  }

  static let bulk = InterleavedWrite("bulk deletion") { database, scene in
    guard let filter = MemeFilter(author: .person(scene.ada.username)) else { return }
    let run = try await MemeStore(database).deleteBatch(
      filter, continuing: nil,
      recording: AuditEntry(
        at: time, .command, .deleteMemes, nil, AuditDetails(filter: filter, count: 0)), .standard)
    if run.count == 0 { throw MemeError.notFound }
  }

  static let restore = InterleavedWrite("restore") { database, scene in
    _ = try await MemeStore(database).restore(
      scene.trashed, by: .person(scene.ada.id),
      deletedAfter: Timestamp(millisecondsSince1970: 0), recording: nil)
  }

  static let restoreNew = InterleavedWrite("restore what is being deleted") { database, scene in
    _ = try await MemeStore(database).restore(
      scene.meme, by: .person(scene.ada.id), deletedAfter: Timestamp(millisecondsSince1970: 0),
      recording: nil)
  }

  static let purge = InterleavedWrite("purge") { database, scene in
    _ = try await MemeStore(database).purge(deletedUpTo: time, .standard)
  }

  static let prune = InterleavedWrite("prune tombstones") { database, scene in
    _ = try await MemeStore(database).pruneTombstones(deletedUpTo: time, atMost: 100)
  }

  static let keyed = InterleavedWrite("meme with a key") { database, scene in
    let first = try await MemeStore(database).insert(
      try newMeme(by: scene.ada), recording: scene.key)
    if case .answered = first { throw MemeError.keyReused }
  }

  private static func derived(_ database: any Database) -> DerivedPictures {
    DerivedPictures(database, capacityBytes: 60)
  }

  static func derive(_ width: Int) -> InterleavedWrite {
    InterleavedWrite("derive \(width)") { database, scene in
      let key = DerivedPictureKey(
        meme: scene.meme, version: 3,
        derivation: Derivation(size: PixelSize(width: width, height: 1), format: .png))
      _ = try await derived(database).keep(
        try InterleavedScene.file(String(repeating: "d", count: 40)), as: key)
    }
  }

  static let trim = InterleavedWrite("trim") { database, _ in try await derived(database).trim() }

  static let share = InterleavedWrite("share") { database, scene in
    _ = try await MemeStore(database).countShare(
      of: scene.meme, by: .anonymous, on: .link, recording: nil, at: time)
  }

  static let fillWords = InterleavedWrite("fill words") { database, scene in
    _ = try await WordStore(database).fillWords(atMost: 100)
  }

  static let reportMeme = InterleavedWrite("report") { database, scene in
    _ = try await ReportStore(database).file(
      FiledReport(id: ReportID(UUID()), createdAt: time), on: .meme(scene.nobodys),
      because: ReportReason(stored: "y"), by: .person(scene.bob.id), recording: nil)
  }

  static func decide(_ status: Report.Status) -> InterleavedWrite {
    InterleavedWrite("decide \(status)") { database, scene in
      _ = try await ReportStore(database).decide(
        ReportDecision(status: status, note: .keep, isForAll: true), on: scene.report,
        recording: AuditEntry(at: time, .command, .resolveReport, nil))
    }
  }

  // Templates and uploads.

  /// There is room for one of them.
  static func template(_ name: String) -> InterleavedWrite {
    InterleavedWrite("template \(name)") { database, scene in
      let (template, files) = try InterleavedScene.template()
      _ = try await TemplateStore(database, limits: StorageLimits(account: 3140)).insert(
        template, files, by: .person(scene.ada.id), recording: nil)
    }
  }

  static let deleteTemplate = InterleavedWrite("delete template") { database, scene in
    try await TemplateStore(database).delete(scene.template, by: .admin, recording: nil)
  }

  static let deleteTemplates = InterleavedWrite("delete templates") { database, scene in
    _ = try await TemplateStore(database).deleteAnonymous(
      continuing: nil, recording: AuditEntry(at: time, .command, .deleteTemplates, nil), .standard)
  }

  /// There is room for one of them.
  static func store(_ name: String) -> InterleavedWrite {
    InterleavedWrite("upload \(name)") { database, scene in
      _ = try await UploadStore(database, limits: StorageLimits(account: 3132)).insert(
        try InterleavedScene.upload(UploadID(UUID())), Bytes("whole"), by: .person(scene.ada.id),
        recording: nil, at: time)
    }
  }

  static let finish = InterleavedWrite("finish upload") { database, scene in
    try await UploadStore(database).finish(
      try InterleavedScene.upload(scene.upload), Bytes("whole"), after: 0, at: time)
  }

  static let removeUpload = InterleavedWrite("remove upload") { database, scene in
    guard try await UploadStore(database).remove(scene.upload, at: time) else {
      throw MemeError.notFound
    }
  }

  static let removeWhole = InterleavedWrite("remove whole upload") { database, scene in
    guard try await UploadStore(database).remove(scene.whole, at: time) else {
      throw MemeError.notFound
    }
  }

  /// A batch has only unfinished uploads, or none of them.
  static func purgeUploads(batches: Int) -> InterleavedWrite {
    InterleavedWrite("purge \(batches) batches of uploads") { database, scene in
      let uploads = UploadStore(database)
      for _ in 0..<batches {
        _ = try await uploads.purgeUploads(expiredAt: InterleavedScene.expiry, .standard)
      }
    }
  }

  static let purgeDiscarded = InterleavedWrite("purge bytes") { database, scene in
    _ = try await UserStore(database).purgeDiscarded(.standard)
  }

  static let fold = InterleavedWrite("fold totals") { database, scene in
    try await ServerStore(database).foldTotals()
  }
}
