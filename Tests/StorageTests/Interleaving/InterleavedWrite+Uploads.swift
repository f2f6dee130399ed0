import Bytes
import Foundation
import Memes
import SQL

@testable import Storage

extension InterleavedWrite {
  /// There is room for one of them.
  static func begin(_ name: String) -> InterleavedWrite {
    InterleavedWrite("begin \(name)") { database, scene in
      let upload = UploadProgress(
        id: UploadID(UUID()), byteCount: 10, offset: 0,
        expiresAt: Timestamp(millisecondsSince1970: 1000))
      try await UploadStore(database).begin(
        upload, by: .anonymous, countedFor: scene.network,
        within: UnfinishedUploadLimit(count: 1, bytes: 100), at: time)
    }
  }

  static func append(_ piece: String) -> InterleavedWrite {
    InterleavedWrite("append \(piece)") { database, scene in
      try await UploadStore(database).append(
        Bytes(piece), to: scene.upload, at: 0, until: Timestamp(millisecondsSince1970: 1000),
        at: time)
    }
  }

  static let finish = InterleavedWrite("finish the upload") { database, scene in
    let facts = PictureFacts(
      size: PixelSize(width: 1, height: 1), format: .jpeg, byteCount: 10, digest: try digest(3))
    try await UploadStore(database).finish(
      Upload(id: scene.upload, picture: facts, expiresAt: Timestamp(millisecondsSince1970: 1000)),
      Bytes("0123456789"), after: 0, at: time)
  }

  static let removeUpload = InterleavedWrite(telling: "remove the upload") { database, scene in
    try await UploadStore(database).remove(scene.upload, at: time)
  }

  static let removeWhole = InterleavedWrite(telling: "remove the whole upload") { database, scene in
    try await UploadStore(database).remove(scene.whole, at: time)
  }

  /// One of the uploads of the scene at a time: all have expired by then.
  static let purgeUploads = InterleavedWrite(telling: "purge uploads") { database, scene in
    try await UploadStore(database).purgeUploads(
      expiredAt: Timestamp(millisecondsSince1970: 2000), PurgeBatch(count: 1, bytes: 1 << 20))
  }

  /// There is room for one of them.
  static func addTemplate(_ name: String) -> InterleavedWrite {
    InterleavedWrite("template \(name)") { database, scene in
      let (template, files) = try InterleavedScene.newTemplate()
      _ = try await TemplateStore(database, limits: StorageLimits(templates: 2)).insert(
        template, files, by: .person(scene.ada.id), recording: nil)
    }
  }

  /// Its alias is the same in all of a scene's writes.
  static func addTemplateWithAlias(_ name: String) -> InterleavedWrite {
    InterleavedWrite("template \(name) with an alias") { database, scene in
      var (template, files) = try InterleavedScene.newTemplate()
      template.fields.aliases = [TemplateAlias(stored: scene.ada.username.text)]
      _ = try await TemplateStore(database).insert(
        template, files, by: .person(scene.bob.id), recording: nil)
    }
  }

  static func editTemplate(_ name: String, alias: Bool = false) -> InterleavedWrite {
    InterleavedWrite("edit of the template to \(name)") { database, scene in
      _ = try await TemplateStore(database).change(
        scene.template, if: .oneOf([1]), by: .person(scene.ada.id), recording: nil
      ) { fields in
        var fields = fields
        fields.name = TemplateName(stored: name)
        if alias { fields.aliases = [TemplateAlias(stored: scene.ada.username.text)] }
        return fields
      }
    }
  }

  static let deleteTemplate = InterleavedWrite("delete the template") { database, scene in
    try await TemplateStore(database).delete(
      scene.template, if: .any, by: .person(scene.ada.id), recording: nil)
  }

  /// One of two.
  static let deleteAnonymousTemplate = InterleavedWrite(telling: "delete an anonymous template") {
    database, _ in
    let run = try await TemplateStore(database).deleteAnonymous(
      continuing: nil, recording: AuditEntry(at: time, .command, .deleteTemplates, nil),
      PurgeBatch(count: 1, bytes: 1 << 20))
    return "\(run.count) \(run.isOver)"
  }

  static func report(_ reason: String, isAnonymous: Bool = false) -> InterleavedWrite {
    InterleavedWrite(telling: "report \(reason)") { database, scene in
      let result = try await ReportStore(database).file(
        FiledReport(id: ReportID(UUID()), createdAt: time), on: .meme(scene.nobodys),
        because: ReportReason(stored: reason), by: isAnonymous ? .anonymous : .person(scene.bob.id),
        recording: nil)
      return if case .made = result { true } else { false }
    }
  }

  static func decide(_ status: Report.Status) -> InterleavedWrite {
    InterleavedWrite("decide \(status)") { database, scene in
      _ = try await ReportStore(database).decide(
        ReportDecision(status: status, note: .keep, isForAll: true), on: scene.report,
        recording: AuditEntry(at: time, .command, .resolveReport, nil))
    }
  }

  /// Some of the likes of the purged meme of the scene.
  static let purgeReactions = InterleavedWrite("purge reactions") { database, _ in
    // As its schedule: until nothing is left, but no longer than this test lets it.
    _ = try await UserStore(database).purgeDiscardedReactions(atMost: 2)
  }

  static let purgeBlobs = InterleavedWrite("purge blobs") { database, _ in
    _ = try await UserStore(database).purgeDiscarded(PurgeBatch(count: 2, bytes: 1 << 20))
  }

  static let prune = InterleavedWrite("prune records") { database, _ in
    _ = try await MemeStore(database).pruneTombstones(deletedUpTo: time, atMost: 1)
  }
}
