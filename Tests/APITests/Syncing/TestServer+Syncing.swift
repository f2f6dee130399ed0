import Support
import Testing
import Wire

/// A page of changes, in a short format.
struct SyncedPage: Sendable {
  /// `upsert <address> <version>` or `delete <address>`.
  let changes: [String]
  let cursor: String
  let hasMore: Bool
  let bytes: Int
}

extension TestServer {
  func changes(
    since cursor: String? = nil, limit: Int? = nil, wait: Int? = nil, token: String
  ) async throws -> SyncedPage {
    let query = [
      cursor.map { "since=\($0)" }, limit.map { "limit=\($0)" }, wait.map { "wait=\($0)" },
    ].compactMap(\.self).joined(separator: "&")
    let answer = try await get("/memes/changes?\(query)", token: token).expect(200)
    return SyncedPage(
      changes: answer.json.changes.elements.map(\.changeText),
      cursor: try #require(answer.json.cursor.text),
      hasMore: answer.json.hasMore.flag == true, bytes: answer.response.body.count)
  }

  /// Waits until `count` requests wait for changes.
  func waiters(_ count: Int) async throws {
    let metrics = try await metrics { $0.value("mememe_change_waiters") == Double(count) }
    #expect(metrics.value("mememe_change_waiters") == Double(count))
  }
}

extension JSON {
  /// The change in the format of ``SyncedPage/changes``.
  var changeText: String {
    let type = self["type"].text ?? ""
    guard type == "upsert" else { return "\(type) /memes/\(self.id.text ?? "")" }
    return "\(type) /memes/\(self.meme.id.text ?? "") \(self.meme.version.int ?? 0)"
  }
}
