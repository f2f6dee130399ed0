import HTTP
package import Memes

/// Profiles, and looking for people; following and blocking, and the lists of those who do.
package struct FollowingRoutes: Sendable {
  private let following: Following
  private let digest: Digester
  private let answer: ListAnswer
  private let json: UserJSON

  /// - Parameter basePath: what every address in an answer begins with; no slash at its end.
  package init(following: Following, digest: @escaping Digester, basePath: String) {
    (self.following, self.digest) = (following, digest)
    answer = ListAnswer(digest: digest, basePath: basePath)
    json = UserJSON(basePath: basePath)
  }

  package var routes: [Route] {
    let page: Set<String> = ["limit", "cursor"]
    return [
      Route(
        .get, "/users", access: .viewer, limit: .search, query: page.union(["q"]), search),
      Route(.get, "/users/{username}", access: .viewer, profile),
      Route(.put, "/users/{username}/follow", access: .person, limit: .change) { call in
        try await following.follow(call.username(), by: call.signedIn().person)
        return .noContent
      },
      Route(.delete, "/users/{username}/follow", access: .person, limit: .change) { call in
        try await following.unfollow(call.username(), by: call.signedIn().person)
        return .noContent
      },
      Route(.put, "/users/{username}/block", access: .person, limit: .change) { call in
        try await following.block(call.username(), by: call.signedIn().person)
        return .noContent
      },
      Route(.delete, "/users/{username}/block", access: .person, limit: .change) { call in
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
    let body = writer.finish()
    var response = Response(.ok, "application/json", body)
    response.headers[.etag] = HeaderValue("\"\(digest(body).tag)\"")
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }

  private func search(_ call: Call) async throws -> Response {
    var query = call.query
    let sought = query.required("q", PersonQuery.init)
    let (limit, cursor) = query.page()
    let text = query.sentText("q") ?? ""
    try query.finish()
    guard let sought else { throw Problem(.invalidInput) }
    let position = try cursor.map { text throws(Problem) in
      try PersonCursor.decode(text, of: sought)
    }
    let found = try await following.people(
      matching: sought, for: call.viewer, after: position, limit: limit)
    return answer.response(
      found.items, next: found.next.map(PersonCursor.encode),
      at: "/users?q=\(text.percentEncoded)", limit: limit
    ) { profile, writer in json.profile(profile, to: &writer) }
  }

  private func list(_ circle: Circle, _ path: String, _ call: Call) async throws -> Response {
    var query = call.query
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await following.page(
      of: circle, for: call.viewer, after: cursor.map(ListCursor.decode), limit: limit)
    return answer.response(page, at: path, limit: limit) { profile, writer in
      json.profile(profile, to: &writer)
    }
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
