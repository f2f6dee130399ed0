import HTTP
import Memes

/// Writes comments as JSON.
struct CommentJSON {
  /// The prefix of every URL, without a trailing slash.
  let basePath: String

  func write(_ comment: Comment, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", comment.id.description)
      json.member("meme", comment.meme.description)
      MemeJSON(basePath: basePath).write(comment.author, to: &json)
      json.member("text", comment.text.text)
      json.member("createdAt", comment.createdAt.description)
      json.member("editedAt", comment.editedAt?.description)
      json.object("viewer") { json in
        json.member("canEdit", comment.canEdit)
        json.member("canDelete", comment.canDelete)
      }
    }
  }

  /// The URL of a comment.
  func url(of id: CommentID) -> String { "\(basePath)/comments/\(id)" }
}
