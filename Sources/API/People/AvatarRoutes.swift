package import Bytes
import HTTP
import Memes
package import Services

/// Avatars of users.
package struct AvatarRoutes: Sendable {
  private let picturing: Picturing
  private let json: UserJSON
  private let body: Route.Body

  /// - Parameters:
  ///   - basePath: the prefix of every URL in responses, without a trailing slash.
  ///   - maxUploadBytes: the maximum size of a picture file, in bytes.
  ///   - spool: where pictures are stored while they arrive.
  package init(picturing: Picturing, basePath: String, maxUploadBytes: Int, spool: SpoolPlace) {
    (self.picturing, json) = (picturing, UserJSON(basePath: basePath))
    body = .file(maximumBytes: maxUploadBytes, spool: spool)
  }

  package var routes: [Route] {
    [
      Route(.put, "/users/me/avatar", access: .person, limit: .upload, body: body, set),
      Route(.delete, "/users/me/avatar", access: .person, limit: .change, remove),
      Route(
        .get, "/users/{username}/avatar", access: .viewer, query: ["size", "v"], picture),
    ]
  }

  private func set(_ call: Call) async throws -> Response {
    guard case .bytes(let picture) = call.request.body, !picture.isEmpty else {
      throw Problem(.malformedRequest, "The body must be the picture's file.")
    }
    return json.response(try await picturing.set(picture, of: call.signedIn().person))
  }

  private func remove(_ call: Call) async throws -> Response {
    try await picturing.remove(of: call.signedIn().person)
    return .noContent
  }

  private func picture(_ call: Call) async throws -> Response {
    var query = call.query
    let size = query.number("size", AvatarSize.init(wanted:)) ?? .medium
    let version = query.text("v") { (text) in AvatarVersion(stored: text) }
    try query.finish()
    guard let username = call.parameters["username"].flatMap({ try? Username($0) }) else {
      throw Problem(.notFound)
    }
    let avatar = try await picturing.picture(
      of: username, size, version: version, for: call.viewer)
    var response = Response(picture: avatar.file)
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
      throw InvalidValue(code: "not-allowed", message: "One of: \(sizes).")
    }
    self = size
  }
}
