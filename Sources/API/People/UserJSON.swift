import HTTP
import Memes

/// How people are written.
enum UserJSON {
  /// What the person sees of themselves.
  static func own(_ user: User, to json: inout JSONWriter) {
    json.object { json in
      shared(user, to: &json)
      json.member("email", user.email.text)
      json.member("passwordChangedAt", user.passwordChangedAt.description)
    }
  }

  /// What everybody sees.
  static func profile(_ user: User, to json: inout JSONWriter) {
    json.object { json in shared(user, to: &json) }
  }

  private static func shared(_ user: User, to json: inout JSONWriter) {
    json.member("username", user.username.text)
    json.member("displayName", user.displayName?.text)
    json.member("bio", user.biography?.text)
    json.member("createdAt", user.createdAt.description)
  }

  /// An answer that is for the person alone.
  static func response(_ user: User, _ status: Status = .ok) -> Response {
    var json = JSONWriter()
    own(user, to: &json)
    var response = Response(status, "application/json", json.finish())
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
