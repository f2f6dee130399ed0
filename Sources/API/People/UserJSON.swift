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

  /// What others see.
  static func write(_ profile: Profile, to json: inout JSONWriter) {
    json.object { json in
      shared(profile.user, to: &json)
      json.object("counts") { json in
        json.member("memes", profile.counts.memes)
        json.member("followers", profile.counts.followers)
        json.member("following", profile.counts.following)
      }
      json.object("viewer") { json in
        json.member("follows", profile.relation.follows)
        json.member("followedBy", profile.relation.followedBy)
        json.member("blocks", profile.relation.blocks)
      }
    }
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
