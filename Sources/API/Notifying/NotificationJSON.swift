import HTTP
import Memes

/// Writes notifications as JSON.
struct NotificationJSON {
  /// The prefix of every URL, without a trailing slash.
  let basePath: String

  func write(_ notification: Notification, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", notification.id.description)
      json.member("kind", notification.kind.rawValue)
      json.member("read", notification.isRead)
      json.member("count", notification.count)
      json.array("actors") { json in
        for actor in notification.actors {
          UserJSON(basePath: basePath).author(actor, to: &json)
        }
      }
      if let meme = notification.meme {
        json.name("meme")
        MemeJSON(basePath: basePath).write(meme, to: &json)
      } else {
        json.null("meme")
      }
      if let comment = notification.comment {
        json.object("comment") { json in
          json.member("id", comment.id.description)
          json.member("text", comment.text)
        }
      } else {
        json.null("comment")
      }
      json.member("createdAt", notification.createdAt.description)
      json.member("updatedAt", notification.updatedAt.description)
    }
  }
}
