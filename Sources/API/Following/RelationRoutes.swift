import Bytes
import HTTP
import Memes
package import Storage

/// Profiles and user search, following and blocking, and the lists of followers, friends and blocked users.
package struct RelationRoutes: Sendable {
  private let relations: RelationStore
  private let context: APIContext
  private let answer: ListResponse
  private let json: UserJSON

  package init(relations: RelationStore, context: APIContext) {
    (self.relations, self.context) = (relations, context)
    answer = ListResponse(context)
    json = UserJSON(basePath: context.basePath)
  }

  package var routes: [Route] {
    let page: Set<String> = ["limit", "cursor"]
    return [
      Route(
        .get, "/users", access: .viewer, limit: .search, query: page.union(["q"]), search),
      Route(.get, "/users/{username}", access: .viewer, profile),
      Route(.put, "/users/{username}/follow", access: .person, takesTokens: true, limit: .change) {
        call in
        try await relations.follow(call.username(), by: call.signedIn().person, at: context.now())
        return .noContent
      },
      Route(.delete, "/users/{username}/follow", access: .person, takesTokens: true, limit: .change)
      { call in
        try await relations.unfollow(call.username(), by: call.signedIn().person)
        return .noContent
      },
      Route(.put, "/users/{username}/block", access: .person, takesTokens: true, limit: .change) {
        call in
        try await relations.block(call.username(), by: call.signedIn().person, at: context.now())
        return .noContent
      },
      Route(.delete, "/users/{username}/block", access: .person, takesTokens: true, limit: .change)
      { call in
        try await relations.unblock(call.username(), by: call.signedIn().person)
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
      Route(.get, "/users/me/friends", access: .person, takesTokens: true, query: page) { call in
        try await list(.friends(of: call.signedIn().person), "/users/me/friends", call)
      },
      Route(.get, "/users/me/blocks", access: .person, takesTokens: true, query: page) { call in
        try await list(.blocked(by: call.signedIn().person), "/users/me/blocks", call)
      },
    ]
  }

  private func profile(_ call: Call) async throws -> Response {
    let profile = try await relations.profile(call.username(), for: call.viewer)
    var writer = JSONWriter()
    json.profile(profile, to: &writer)
    return .revalidated(writer.finish(), context.digest)
  }

  private func search(_ call: Call) async throws -> Response {
    var query = call.query
    let sought = query.required("q", PersonQuery.init)
    let (limit, cursor) = query.page()
    let text = query.sentText("q") ?? ""
    try query.finish()
    guard let sought else { throw Problem(.invalidInput) }
    let position = try cursor.map { try PersonCursor.decode($0, of: sought) }
    let found = try await relations.people(
      matching: sought, for: call.viewer, after: position, limit: limit.count)
    return answer.response(
      found.items, next: found.next.map(PersonCursor.encode),
      at: "/users?q=\(text.percentEncoded)", limit: limit
    ) { profile, writer in json.profile(profile, to: &writer) }
  }

  private func list(_ circle: UserList, _ path: String, _ call: Call) async throws -> Response {
    var query = call.query
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await relations.page(
      of: circle, for: call.viewer, after: cursor.map(ListCursor.decode), limit: limit.count)
    let time: StaticString? = if case .blocked = circle { nil } else { "followedAt" }
    return answer.response(page, at: path, limit: limit) { profile, writer in
      json.profile(profile, listedAt: time, to: &writer)
    }
  }
}
