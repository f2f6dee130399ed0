import HTTP
import Memes

/// Writes changes of a user's memes as JSON.
struct SyncJSON {
  /// The prefix of every URL, without a trailing slash.
  let basePath: String

  func write(_ change: SyncChange, for viewer: Principal, to json: inout JSONWriter) {
    json.object { json in
      switch change.state {
      case .upsert(let meme):
        json.member("type", "upsert")
        json.name("meme")
        MemeJSON(basePath: basePath).write(meme, for: viewer, to: &json)
      case .delete(let id, let time):
        json.member("type", "delete")
        json.member("id", id.description)
        json.member("deletedAt", time.description)
      }
    }
  }

  /// Writes a page. A long page ends early, after the change that exceeds `maximumBytes`.
  func write(
    _ page: SyncPage, for viewer: Principal, maximumBytes: Int, to json: inout JSONWriter
  ) {
    var told = 0
    json.object { json in
      json.array("changes") { json in
        for change in page.changes
        where told == 0 || json.withUnsafeBytes(\.count) < maximumBytes {
          write(change, for: viewer, to: &json)
          told += 1
        }
      }
      let end = told > 0 ? page.start.after(page.changes[told - 1]) : page.start
      json.member("cursor", SyncCursor.encode(end))
      json.member("hasMore", page.hasMore || told < page.changes.count)
    }
  }
}
