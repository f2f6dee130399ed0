import HTTP
import Memes

/// Writes the sessions of a user as JSON.
enum SessionJSON {
  /// - Parameter current: the session of this request; `nil` if it has none.
  static func list(
    _ sessions: [Session], lifetime: SessionLifetime, current: SessionID?,
    to json: inout JSONWriter
  ) {
    json.object { json in
      json.array("items") { json in
        for session in sessions {
          json.object { json in
            json.member("id", session.id.description)
            json.member("createdAt", session.createdAt.description)
            json.member("lastUsedAt", session.lastUsedAt.description)
            json.member("expiresAt", lifetime.expiry(of: session).description)
            json.member("userAgent", session.client?.text)
            json.member("current", session.id == current)
          }
        }
      }
      json.null("nextCursor")
    }
  }
}
