import Support
import Wire

/// A client that syncs the memes of an account: it reads the changes since its cursor, each page from another server.
struct ChangeFollower: Sendable {
  let session: String
  var random: SeededRandom

  private(set) var memes: [String: JSON] = [:]
  private var cursor: String?

  init(session: String, _ random: SeededRandom) {
    (self.session, self.random) = (session, random)
  }

  /// Reads changes until it is over.
  mutating func follow(_ servers: ServerGroup, until isOver: @Sendable () -> Bool) async {
    while !isOver() {
      let hasMore = (try? await readPage(from: servers)) ?? false
      if !hasMore { try? await Task.sleep(for: .milliseconds(10)) }
    }
  }

  /// Reads all changes that there are.
  mutating func catchUp(_ servers: ServerGroup) async throws {
    while try await readPage(from: servers) {}
  }

  private mutating func readPage(from servers: ServerGroup) async throws -> Bool {
    let since = cursor.map { "&since=\($0)" } ?? ""
    let answer = try await servers.connect(&random).client
      .ask("GET", "/memes/changes?limit=100\(since)", token: session)
    guard answer.status == 200 else {
      throw WireClient.Failure(what: "changes: \(answer.response.text.prefix(300))")
    }
    for change in answer.json.changes.elements {
      if change.type.text == "delete" {
        if let id = change.id.text { memes[id] = nil }
      } else if let id = change.meme.id.text {
        memes[id] = change.meme
      }
    }
    cursor = answer.json.cursor.text
    return answer.json.hasMore == .bool(true)
  }
}
