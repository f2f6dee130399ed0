import HTTP
import Memes
import Services

/// Writes access tokens as JSON.
enum AccessTokenJSON {
  /// The response to a new token, the only one with its secret.
  static func response(_ made: NewAccessToken) -> Response {
    .uncached(.created) { json in
      json.object { json in
        write(made.token, to: &json)
        json.member("token", made.secret)
      }
    }
  }

  /// All tokens of a user.
  static func list(_ tokens: [AccessToken], to json: inout JSONWriter) {
    json.object { json in
      json.array("items") { json in
        for token in tokens { json.object { write(token, to: &$0) } }
      }
      json.null("nextCursor")
    }
  }

  private static func write(_ token: AccessToken, to json: inout JSONWriter) {
    json.member("id", token.id.description)
    json.member("name", token.name.text)
    json.array("scopes") { json in
      for scope in token.scopes.all { json.value(scope.rawValue) }
    }
    json.member("createdAt", token.createdAt.description)
    json.member("expiresAt", token.expiresAt?.description)
    json.member("lastUsedAt", token.lastUsedAt?.description)
  }
}
