import Memes
import Storage

// Changes by nobody who is an admin, for tests that are not about the log of what those do.

extension SQLiteMemes {
  func delete(
    _ id: MemeID, if condition: VersionCondition, at time: Timestamp, restorable: Bool
  ) async throws(MemeError) {
    try await delete(id, if: condition, at: time, restorable: restorable, recording: nil)
  }

  func restore(_ id: MemeID, deletedAfter horizon: Timestamp) async throws(MemeError) -> Meme {
    try await restore(id, deletedAfter: horizon, recording: nil)
  }
}

extension SQLiteTemplates {
  func delete(_ id: TemplateID) async throws(MemeError) { try await delete(id, recording: nil) }
}
