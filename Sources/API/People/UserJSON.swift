import HTTP
import Memes

/// Writes users as JSON.
struct UserJSON {
  /// The prefix of every URL, without a trailing slash.
  let basePath: String

  /// Writes a user's own account, with its private fields.
  ///
  /// - Parameter factor: `nil` if it is off.
  func own(_ user: User, _ factor: SecondFactor?, to json: inout JSONWriter) {
    json.object { json in complete(user, factor, to: &json) }
  }

  /// Writes an account as admins see it.
  func account(_ account: ListedAccount, to json: inout JSONWriter) {
    json.object { json in
      complete(account.user, account.secondFactor, to: &json)
      json.member("suspendedAt", account.suspendedAt?.description)
      json.member("storedBytes", account.storedBytes)
      json.member("quotaBytes", account.quotaBytes)
    }
  }

  /// Writes the profile that other users see.
  ///
  /// - Parameter time: the name of the time in a list; `nil` if the list has none.
  func profile(_ profile: Profile, listedAt time: StaticString? = nil, to json: inout JSONWriter) {
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
      if let time, let listedAt = profile.listedAt { json.member(time, listedAt.description) }
    }
  }

  /// Writes the short form of a user, as part of a meme, comment or notification.
  func author(_ author: Author, to json: inout JSONWriter) {
    json.object { json in
      json.member("id", author.id.description)
      json.member("username", author.username.text)
      json.member("displayName", author.displayName?.text)
      json.member("avatarUrl", avatarURL(of: author.username, author.avatar))
    }
  }

  /// The URL of a user's avatar. Every uploaded picture has its own URL, so that clients can cache it forever. If the
  /// user has none, the URL leads to a drawn avatar.
  func avatarURL(of username: Username, _ version: AvatarVersion?) -> String {
    "\(basePath)/users/\(username)/avatar" + (version.map { "?v=\($0.text)" } ?? "")
  }

  private func complete(_ user: User, _ factor: SecondFactor?, to json: inout JSONWriter) {
    shared(user, to: &json)
    json.member("email", user.email.text)
    json.member("emailConfirmed", user.emailConfirmedAt != nil)
    json.member("passwordChangedAt", user.passwordChangedAt.description)
    json.member("usernameChangedAt", user.usernameChangedAt?.description)
    json.member("role", user.role.rawValue)
    guard let factor else { return json.null("secondFactor") }
    json.object("secondFactor") { json in
      json.member("enabledAt", factor.enabledAt.description)
      json.member("recoveryCodes", factor.recoveryCodes)
    }
  }

  private func shared(_ user: User, to json: inout JSONWriter) {
    json.member("id", user.id.description)
    json.member("username", user.username.text)
    json.member("displayName", user.displayName?.text)
    json.member("bio", user.biography?.text)
    json.member("avatarUrl", avatarURL(of: user.username, user.avatar))
    json.member("createdAt", user.createdAt.description)
  }

  /// A response for the user only, which must not be cached.
  func response(_ user: User, _ factor: SecondFactor?, _ status: Status = .ok) -> Response {
    .uncached(status) { own(user, factor, to: &$0) }
  }
}
