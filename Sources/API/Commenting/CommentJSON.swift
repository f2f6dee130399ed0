import HTTP
import Memes

/// How comments are written.
struct CommentJSON {
  /// What every address begins with; no slash at its end.
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

  /// Where the comment is.
  func url(of id: CommentID) -> String { "\(basePath)/comments/\(id)" }
}
