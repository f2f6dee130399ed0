import Bytes
import Memes
import Storage

// The calls as the admin makes them, for tests that are not about who asks.

extension MemeStore {
  func meme(_ id: MemeID) async throws(MemeError) -> Meme { try await meme(id, for: .admin) }

  func draftDigest(of id: MemeID) async throws(MemeError) -> Digest? {
    try await draftDigest(of: id, by: .admin)
  }

  func page(after position: ListPosition?, limit: Int) async throws(MemeError) -> Page<Meme> {
    try await page(MemeListing(for: .admin, after: position, limit: limit))
  }

  func tableRows(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<TableRow> {
    try await tableRows(MemeListing(for: .admin, after: position, limit: limit))
  }

  func gridCells(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<GridCell> {
    try await gridCells(MemeListing(for: .admin, after: position, limit: limit))
  }

  func picture(_ role: PictureRole, of id: MemeID) async throws(MemeError) -> StoredPicture {
    try await picture(role, of: id, for: .admin)
  }

  func replace(_ version: Int, with revised: RevisedMeme) async throws(MemeError) -> Meme {
    try await replace(version, with: revised, by: .admin, recording: nil)
  }

  func delete(
    _ id: MemeID, if condition: VersionCondition, at time: Timestamp, restorable: Bool
  ) async throws(MemeError) {
    try await delete(
      id, if: condition, by: .admin, at: time, restorable: restorable, recording: nil)
  }

  func restore(_ id: MemeID, deletedAfter horizon: Timestamp) async throws(MemeError) -> Meme {
    try await restore(id, by: .admin, deletedAfter: horizon, recording: nil)
  }
}

extension ShareStore {
  func countShare(
    of id: MemeID, on channel: ShareChannel, answering answer: FirstAnswer?, at time: Timestamp
  ) async throws(MemeError) -> FirstAnswer? {
    try await countShare(of: id, by: .admin, on: channel, answering: answer, at: time)
  }
}

extension DerivedPictureStore {
  func find(_ wish: PictureWish, of id: MemeID) async throws(MemeError) -> DerivedPicture {
    try await find(wish, of: id, for: .admin)
  }
}

extension Deriving {
  func picture(
    of id: MemeID, version: Int? = nil, as wish: PictureWish
  ) async throws(MemeError) -> PictureFile {
    try await picture(of: id, version: version, as: wish, for: .admin).file
  }

  func picture(
    of id: MemeID, preferring wish: PictureWish
  ) async throws(MemeError) -> (PictureFile, isPreferred: Bool) {
    let (picture, isPreferred) = try await picture(of: id, preferring: wish, for: .admin)
    return (picture.file, isPreferred)
  }
}

extension UploadStore {
  func insert(
    _ upload: Upload, _ bytes: Bytes, answering answer: FirstAnswer?, at time: Timestamp
  ) async throws(MemeError) -> FirstAnswer? {
    try await insert(upload, bytes, by: .admin, answering: answer, at: time)
  }
}

extension TemplateStore {
  func insert(
    _ template: Template, _ files: TemplateFiles, answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer? {
    try await insert(template, files, by: .admin, answering: answer)
  }

  func delete(_ id: TemplateID) async throws(MemeError) {
    try await delete(id, by: .admin, recording: nil)
  }
}
