import Bytes
import Memes
import Services
import Storage

// The calls as an admin makes them, for tests that are not about access.

extension MemeStore {
  func meme(_ id: MemeID) async throws -> Meme { try await meme(id, for: .admin) }

  func draftDigest(of id: MemeID) async throws -> Digest? {
    try await draftDigest(of: id, by: .admin)
  }

  func page(after position: ListPosition?, limit: Int) async throws -> Page<Meme> {
    try await page(MemeListing(for: .admin, after: position, limit: limit))
  }

  func tableRows(
    after position: ListPosition?, limit: Int
  ) async throws -> Page<TableRow> {
    try await tableRows(MemeListing(for: .admin, after: position, limit: limit))
  }

  func gridCells(
    after position: ListPosition?, limit: Int
  ) async throws -> Page<GridCell> {
    try await gridCells(MemeListing(for: .admin, after: position, limit: limit))
  }

  func picture(_ role: PictureRole, of id: MemeID) async throws -> StoredPicture {
    try await picture(role, of: id, for: .admin)
  }

  func replace(_ version: Int, with revised: RevisedMeme) async throws -> Meme {
    try await replace(version, with: revised, by: .admin, recording: nil)
  }

  func delete(
    _ id: MemeID, if condition: VersionCondition, at time: Timestamp, restorable: Bool
  ) async throws {
    try await delete(
      id, if: condition, by: .admin, at: time, restorable: restorable, recording: nil)
  }

  func restore(_ id: MemeID, deletedAfter horizon: Timestamp) async throws -> Meme {
    try await restore(id, by: .admin, deletedAfter: horizon, recording: nil)
  }
}

extension MemeStore {
  func countShare(
    of id: MemeID, on channel: ShareChannel, recording record: IdempotencyRecord?,
    at time: Timestamp
  ) async throws -> IdempotencyRecord? {
    try await countShare(of: id, by: .admin, on: channel, recording: record, at: time)
  }
}

extension DerivedPictureStore {
  func find(_ wish: RenditionRequest, of id: MemeID) async throws -> DerivedPicture {
    try await find(wish, of: id, for: .admin)
  }
}

extension Renditions {
  func picture(
    of id: MemeID, version: Int? = nil, as wish: RenditionRequest
  ) async throws -> PictureFile {
    try await picture(of: id, version: version, as: wish, for: .admin).file.loaded()
  }

  func picture(
    of id: MemeID, preferring wish: RenditionRequest
  ) async throws -> (PictureFile, isPreferred: Bool) {
    let (picture, isPreferred) = try await picture(of: id, preferring: wish, for: .admin)
    return (try await picture.file.loaded(), isPreferred)
  }
}

extension UploadStore {
  func insert(
    _ upload: Upload, _ bytes: Bytes, recording record: IdempotencyRecord?, at time: Timestamp
  ) async throws -> IdempotencyRecord? {
    try await insert(upload, bytes, by: .admin, recording: record, at: time)
  }
}

extension TemplateStore {
  func insert(
    _ template: Template, _ files: TemplateFiles, recording record: IdempotencyRecord?
  ) async throws -> IdempotencyRecord? {
    try await insert(template, files, by: .admin, recording: record)
  }

  func delete(_ id: TemplateID) async throws {
    try await delete(id, if: .any, by: .admin, recording: nil)
  }
}
