import Support
import Wire

/// Compares what all servers show with the database. Callers without credentials get responses that a server may have
/// in memory; those of an admin are always read.
struct Agreement {
  private static let sample = 40

  let servers: ServerGroup
  let adminToken: String
  private(set) var complaints: [String] = []
  /// The memes in the database, by id.
  private(set) var stored: [String: JSON] = [:]

  init(_ servers: ServerGroup, adminToken: String) {
    (self.servers, self.adminToken) = (servers, adminToken)
  }

  mutating func check(_ state: Ledger.State, _ random: inout SeededRandom) async throws {
    guard let first = servers.all.first else { return }
    stored = try await list(first.connect(), token: adminToken)
    for server in servers.all {
      let client = try server.connect()
      let shown = try await list(client, token: nil)
      let differing = Set(shown.keys).union(stored.keys).filter { id in
        shown[id].map(Self.essence) != stored[id].map(Self.essence)
      }
      if let id = differing.first {
        complaints.append(
          "\(differing.count) memes are shown differently than stored, such as "
            + "\(shown[id] ?? .null) instead of \(stored[id] ?? .null)")
      }
      for id in state.kept.keys.sorted().shuffled(using: &random).prefix(Self.sample) {
        try await checkMeme(id, client)
      }
      for id in state.deleted.sorted().shuffled(using: &random).prefix(Self.sample) {
        try await checkMeme(id, client)
      }
    }
  }

  private mutating func checkMeme(_ id: String, _ client: WireClient) async throws {
    let shown = try await client.ask("GET", "/memes/\(id)")
    if let meme = stored[id] {
      guard shown.status != 200 || Self.essence(shown.json) != Self.essence(meme) else { return }
      complaints.append("\(id) is shown as \(shown.response.text.prefix(500)) instead of \(meme)")
    } else if shown.status != 410 {
      complaints.append("the deleted \(id) is \(shown.status)")
    }
  }

  /// Compares a client that syncs with the memes of its account.
  mutating func check(_ follower: ChangeFollower, username: String) {
    let own = stored.filter { $0.value.author.username.text == username }
    let missing = Set(own.keys).subtracting(follower.memes.keys)
    if let id = missing.first { complaints.append("the client that syncs lacks \(id)") }
    for (id, meme) in follower.memes {
      guard let stored = own[id] else {
        complaints.append("the client that syncs still has \(id)")
        continue
      }
      // Likes and shares are not changes.
      if meme.version != stored.version || meme.top != stored.top {
        complaints.append("the client that syncs has \(meme) instead of \(stored)")
      }
    }
  }

  private static func essence(_ meme: JSON) -> JSON {
    meme.lacking(Inspection.viewed.subtracting(["counts"]))
  }

  private mutating func list(_ client: WireClient, token: String?) async throws -> [String: JSON] {
    var memes: [String: JSON] = [:]
    var target: String? = "/memes?limit=100"
    while let page = target {
      let answer = try await client.ask("GET", page, token: token)
      guard answer.status == 200 else {
        complaints.append("\(page) was answered \(answer.response.text.prefix(300))")
        break
      }
      for meme in answer.json.items.elements {
        if memes.updateValue(meme, forKey: meme.id.text ?? "") != nil {
          complaints.append("\(meme.id) is listed twice")
        }
      }
      target = answer.json.nextCursor.text.map { "/memes?limit=100&cursor=\($0)" }
    }
    return memes
  }
}
