import Bytes
import HTTP
import Memes
package import Services
package import Storage

/// Avatars of users.
package struct AvatarRoutes: Sendable {
  private let avatars: Avatars
  private let store: AvatarStore
  private let factors: SecondFactorStore
  private let json: UserJSON
  private let body: Route.Body

  package init(
    avatars: Avatars, store: AvatarStore, factors: SecondFactorStore, context: APIContext
  ) {
    (self.avatars, self.store, self.factors) = (avatars, store, factors)
    json = UserJSON(basePath: context.basePath)
    body = .file(maximumBytes: context.maxUploadBytes, spool: context.spool)
  }

  package var routes: [Route] {
    [
      Route(
        .put, "/users/me/avatar", access: .person, takesTokens: true, limit: .upload, body: body,
        set),
      Route(
        .delete, "/users/me/avatar", access: .person, takesTokens: true, limit: .change, remove),
      Route(
        .get, "/users/{username}/avatar", access: .viewer, query: ["size", "v"], picture),
    ]
  }

  private func set(_ call: Call) async throws -> Response {
    guard case .bytes(let picture) = call.request.body, !picture.isEmpty else {
      throw Problem(.malformedRequest, "The request body must be a picture file.")
    }
    let person = try call.signedIn().person
    return json.response(
      try await avatars.set(picture, of: person), try await factors.factor(of: person))
  }

  private func remove(_ call: Call) async throws -> Response {
    try await store.keep(nil, of: call.signedIn().person)
    return .noContent
  }

  private func picture(_ call: Call) async throws -> Response {
    var query = call.query
    let size = query.number("size", AvatarSize.init(wanted:)) ?? .medium
    let version = query.text("v") { (text) in AvatarVersion(stored: text) }
    try query.finish()
    let username = try call.username()
    let avatar = try await avatars.picture(
      of: username, size, version: version, for: call.viewer)
    var response = Response(stored: avatar.file)
    response.headers[.acceptRanges] = "bytes"
    if version != nil {
      response.headers[.cacheControl] = "public, max-age=31536000, s-maxage=3600, immutable"
    } else if avatar.isDrawn {
      // A drawn avatar changes only with the user's name. After the user has uploaded a picture, profiles
      // link to another URL.
      response.headers[.cacheControl] = "public, max-age=3600"
    }
    return response
  }
}

extension AvatarSize {
  fileprivate init(wanted edge: Int) throws(InvalidValue) {
    guard let size = AvatarSize(rawValue: edge) else {
      let sizes = Self.allCases.map { String($0.rawValue) }.joined(separator: ", ")
      throw InvalidValue(code: "not-allowed", message: "Must be one of: \(sizes).")
    }
    self = size
  }
}
