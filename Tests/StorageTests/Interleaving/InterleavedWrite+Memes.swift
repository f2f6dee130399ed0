import Bytes
import Foundation
import Memes
import SQL

@testable import Storage

extension InterleavedWrite {
  static func edit(_ top: String) -> InterleavedWrite {
    InterleavedWrite("edit to \(top)") { database, scene in
      let new = try newMeme(id: scene.meme.uuid, by: scene.ada) {
        $0.top = CaptionText(stored: top)
      }
      _ = try await MemeStore(database).replace(
        3, with: RevisedMeme(meme: new.meme, files: [:]), by: .person(scene.ada.id), recording: nil)
    }
  }

  static func claim(byBob: Bool) -> InterleavedWrite {
    InterleavedWrite(byBob ? "claim by Bob" : "claim") { database, scene in
      _ = try await MemeStore(database).claim(
        scene.nobodys, for: byBob ? scene.bob.id : scene.ada.id)
    }
  }

  /// There is room for one of them.
  static func upload(_ name: String) -> InterleavedWrite {
    InterleavedWrite("meme \(name)") { database, scene in
      let new = try newMeme(by: scene.ada, byteCount: 1000)
      let limits = StorageLimits(account: 4000)
      _ = try await MemeStore(database, limits: limits).insert(new)
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

  static let editComment = editComment("new")
  static let editComment2 = editComment("newer")

  private static func editComment(_ text: String) -> InterleavedWrite {
    InterleavedWrite("edit comment to \(text)") { database, scene in
      _ = try await CommentStore(database).replace(
        scene.comment, with: try CommentText(text), if: .oneOf([1]), by: .person(scene.bob.id),
        at: time)
    }
  }

  static let deleteComment = InterleavedWrite("delete comment") { database, scene in
    try await CommentStore(database).delete(
      scene.comment, if: .any, by: .person(scene.ada.id), at: time, recording: nil)
  }

  static let editAsAdmin = InterleavedWrite("edit as admin") { database, scene in
    let new = try newMeme(id: scene.meme.uuid, by: scene.ada) { $0.top = CaptionText(stored: "z") }
    _ = try await MemeStore(database).replace(
      3, with: RevisedMeme(meme: new.meme, files: [:]), by: .admin, recording: nil)
  }

  static let favorite = InterleavedWrite("favorite") { database, scene in
    try await ReactionStore(database).put(
      .favorite, on: scene.meme, by: .person(scene.bob.id), at: time)
  }

  static let share = InterleavedWrite("share") { database, scene in
    _ = try await MemeStore(database).countShare(
      of: scene.meme, by: .person(scene.bob.id), on: .link, recording: nil, at: time)
  }

  static let restore = InterleavedWrite("restore") { database, scene in
    _ = try await MemeStore(database).restore(
      scene.trashed, by: .person(scene.ada.id), deletedAfter: Timestamp(millisecondsSince1970: 0),
      recording: nil)
  }

  static let purge = InterleavedWrite(telling: "purge") { database, scene in
    try await MemeStore(database).purge(
      deletedUpTo: time, PurgeBatch(count: 1, bytes: 1 << 20)
    ).contains(scene.trashed)
  }

  static let bulkDelete = InterleavedWrite(telling: "bulk deletion") { database, scene in
    let filter = MemeFilter(
      after: nil, before: nil, author: .person(scene.ada.username))
    guard let filter else { throw MemeError.notFound }
    return try await MemeStore(database).deleteBatch(
      filter, continuing: nil, recording: AuditEntry(at: time, .command, .deleteMemes, nil),
      PurgeBatch(count: 10, bytes: 1 << 20)
    ).count
  }

  /// Of the version that all scenes begin with.
  static let derive = InterleavedWrite(telling: "keep a rendition") { database, scene in
    let size = PixelSize(width: 100, height: 1)
    let bytes = Bytes([UInt8](repeating: 1, count: 10))
    let facts = PictureFacts(size: size, format: .webp, byteCount: 10, digest: try digest(9))
    return try await DerivedPictures(database, capacityBytes: 1 << 20).keep(
      PictureFile(facts: facts, bytes: bytes),
      as: DerivedPictureKey(
        meme: scene.meme, version: 3, derivation: Derivation(size: size, format: .webp)))
  }

  /// A new meme with the same ID.
  static func make(_ top: String) -> InterleavedWrite {
    InterleavedWrite(telling: "make \(top)") { database, scene in
      let new = try newMeme(id: scene.twin.uuid, by: scene.ada, draft: top == "p" ? 1 : 2) {
        $0.top = CaptionText(stored: top)
      }
      return try await MemeStore(database).insert(new)
    }
  }

  static func make(
    of source: String, _ original: @escaping @Sendable (InterleavedScene) -> FileSource
  )
    -> InterleavedWrite
  {
    InterleavedWrite("meme of \(source)") { database, scene in
      let plain = try newMeme(by: scene.bob)
      _ = try await MemeStore(database).insert(
        NewMeme(
          meme: plain.meme, draftDigest: plain.draftDigest, original: original(scene),
          image: plain.image, tableThumbnail: plain.tableThumbnail,
          gridThumbnail: plain.gridThumbnail))
    }
  }

  static let makeOfTemplate = make(of: "a template") { .template($0.template) }
  static let makeOfUpload = make(of: "an upload") { .upload($0.whole) }

  /// The same comment, sent twice with an idempotency key.
  static let commentOnce = InterleavedWrite(telling: "comment with a key") { database, scene in
    let comment = Memes.Comment(
      id: CommentID(UUID()), on: scene.meme, version: 1, author: scene.bob,
      text: try CommentText("once"), createdAt: time, editedAt: nil, canEdit: true, canDelete: true)
    let record = IdempotencyRecord(
      key: StoredIdempotencyKey("", of: .admin, at: "") { _ in scene.network },
      request: try digest(9), made: comment.id.uuid, response: Bytes("first"), at: time)
    return try await CommentStore(database).insert(
      comment, by: .person(scene.bob.id), recording: record) == nil
  }

  static let restoreNew = InterleavedWrite("restore what is being deleted") { database, scene in
    _ = try await MemeStore(database).restore(
      scene.meme, by: .person(scene.ada.id), deletedAfter: Timestamp(millisecondsSince1970: 0),
      recording: nil)
  }

  static let fold = InterleavedWrite("fold totals") { database, scene in
    try await ServerStore(database).foldTotals()
  }

  static let trim = InterleavedWrite("trim") { database, _ in
    try await DerivedPictures(database, capacityBytes: 0).trim()
  }

  static let purgeNotifications = InterleavedWrite("purge notifications") { database, scene in
    _ = try await NotificationStore(database).purgeNotifications(
      upTo: time, at: time, .standard)
  }
}
