import Bytes
import HTTP
package import Memes

/// Profiles, and looking for people; following and blocking, and the lists of those who do.
package struct FollowingRoutes: Sendable {
  private let following: Following
  private let digest: Digester
  private let basePath: String
  private let json: UserJSON

  /// - Parameter basePath: what every address in an answer begins with; no slash at its end.
  package init(following: Following, digest: @escaping Digester, basePath: String) {
    (self.following, self.digest, self.basePath) = (following, digest, basePath)
    json = UserJSON(basePath: basePath)
  }

  package var routes: [Route] {
    let page: Set<String> = ["limit", "cursor"]
    return [
      Route(
        .get, "/users", access: .viewer, limit: .search, query: page.union(["q"]), search),
      Route(.get, "/users/{username}", access: .viewer, profile),
      Route(.put, "/users/{username}/follow", access: .person) { call in
        try await following.follow(call.username(), by: call.signedIn().person)
        return .noContent
      },
      Route(.delete, "/users/{username}/follow", access: .person) { call in
        try await following.unfollow(call.username(), by: call.signedIn().person)
        return .noContent
      },
      Route(.put, "/users/{username}/block", access: .person) { call in
        try await following.block(call.username(), by: call.signedIn().person)
        return .noContent
      },
      Route(.delete, "/users/{username}/block", access: .person) { call in
        try await following.unblock(call.username(), by: call.signedIn().person)
        return .noContent
      },
      Route(.get, "/users/{username}/followers", access: .viewer, query: page) { call in
        let name = try call.username()
        return try await list(.followers(of: name), "/users/\(name)/followers", call)
      },
      Route(.get, "/users/{username}/following", access: .viewer, query: page) { call in
        let name = try call.username()
        return try await list(.following(by: name), "/users/\(name)/following", call)
      },
      Route(.get, "/users/me/friends", access: .person, query: page) { call in
        try await list(.friends(of: call.signedIn().person), "/users/me/friends", call)
      },
      Route(.get, "/users/me/blocks", access: .person, query: page) { call in
        try await list(.blocked(by: call.signedIn().person), "/users/me/blocks", call)
      },
    ]
  }

  private func profile(_ call: Call) async throws -> Response {
    let profile = try await following.profile(call.username(), for: call.viewer)
    var writer = JSONWriter()
    json.profile(profile, to: &writer)
    return response(writer.finish())
  }

  private func list(_ circle: Circle, _ path: String, _ call: Call) async throws -> Response {
    var query = call.query
    let limit = query.number("limit", PageLimit.init) ?? .standard
    let cursor = query.text("cursor") { (text) throws(InvalidValue) in text }
    try query.finish()
    let page = try await following.page(
      of: circle, for: call.viewer, after: cursor.map(ListCursor.decode), limit: limit)
    return response(page.items, page.next.map(ListCursor.encode), "\(path)?limit=\(limit.count)")
  }

  private func search(_ call: Call) async throws -> Response {
    var query = call.query
    let sought = query.required("q", PersonQuery.init)
    let limit = query.number("limit", PageLimit.init) ?? .standard
    let cursor = query.text("cursor") { (text) throws(InvalidValue) in text }
    try query.finish()
    guard let sought else { throw Problem(.invalidInput) }
    let found = try await following.people(
      matching: sought, for: call.viewer, after: cursor.map(PersonCursor.decode), limit: limit)
    let text = query.sentText("q") ?? ""
    return response(
      found.items, found.next.map(PersonCursor.encode),
      "/users?q=\(text.percentEncoded)&limit=\(limit.count)")
  }

  /// - Parameter address: of the next page, but for its cursor.
  private func response(_ items: [Profile], _ cursor: String?, _ address: String) -> Response {
    var writer = JSONWriter(capacity: 512 * (items.count + 1))
    writer.object { writer in
      writer.array("items") { writer in
        for profile in items { json.profile(profile, to: &writer) }
      }
      writer.member("nextCursor", cursor)
    }
    var response = response(writer.finish())
    if let cursor {
      response.headers[.link] = HeaderValue(
        "<\(basePath)\(address)&cursor=\(cursor)>; rel=\"next\"")
    }
    return response
  }

  private func response(_ body: Bytes) -> Response {
    var response = Response(.ok, "application/json", body)
    response.headers[.etag] = HeaderValue("\"\(digest(body).tag)\"")
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }
}

extension Call {
  /// The person whom the path names.
  ///
  /// - Throws: 404 where nobody can have the name.
  fileprivate func username() throws(Problem) -> Username {
    try Username(listed: parameters["username"] ?? "")
  }
}
