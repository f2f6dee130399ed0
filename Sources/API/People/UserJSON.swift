import HTTP
import Memes

/// How people are written.
struct UserJSON {
  /// What every address begins with; no slash at its end.
  let basePath: String

  /// What the person sees of themselves.
  func own(_ user: User, to json: inout JSONWriter) {
    json.object { json in
      shared(user, to: &json)
      json.member("email", user.email.text)
      json.member("passwordChangedAt", user.passwordChangedAt.description)
      json.member("role", user.role.rawValue)
    }
  }

  /// What others see.
  func profile(_ profile: Profile, to json: inout JSONWriter) {
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

  /// What is told of a person beside what they made or did.
  func author(_ author: Author, to json: inout JSONWriter) {
    json.object { json in
      json.member("username", author.username.text)
      json.member("displayName", author.displayName?.text)
      json.member("avatarUrl", avatarURL(of: author.username, author.avatar))
    }
  }

  /// Where the person's picture is: under an address of its own for each, so that it can be kept for ever; or what is drawn
  /// for them.
  func avatarURL(of username: Username, _ version: AvatarVersion?) -> String {
    "\(basePath)/users/\(username)/avatar" + (version.map { "?v=\($0.text)" } ?? "")
  }

  private func shared(_ user: User, to json: inout JSONWriter) {
    json.member("username", user.username.text)
    json.member("displayName", user.displayName?.text)
    json.member("bio", user.biography?.text)
    json.member("avatarUrl", avatarURL(of: user.username, user.avatar))
    json.member("createdAt", user.createdAt.description)
  }

  /// An answer that is for the person alone.
  func response(_ user: User, _ status: Status = .ok) -> Response {
    var json = JSONWriter()
    own(user, to: &json)
    var response = Response(status, "application/json", json.finish())
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
