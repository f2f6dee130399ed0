import HTTP
package import Memes
package import Services

/// Likes and favorites, and the users who like a meme. ``MemeRoutes`` lists a user's favorites.
package struct LikingRoutes: Sendable {
  private let liking: Liking
  private let answer: ListResponse
  private let json: UserJSON

  /// - Parameter basePath: the prefix of every URL in responses, without a trailing slash.
  package init(liking: Liking, digest: @escaping Digester, basePath: String) {
    self.liking = liking
    answer = ListResponse(digest: digest, basePath: basePath)
    json = UserJSON(basePath: basePath)
  }

  package var routes: [Route] {
    mark(.like, "/memes/{id}/like") + mark(.favorite, "/memes/{id}/favorite") + [
      Route(.get, "/memes/{id}/likes", access: .viewer, query: ["limit", "cursor"], likers)
    ]
  }

  private func mark(_ mark: Reaction, _ pattern: RoutePattern) -> [Route] {
    [
      Route(.put, pattern, access: .person, limit: .change) { call in
        try await liking.put(mark, on: call.memeID(), by: call.viewer)
        return .noContent
      },
      Route(.delete, pattern, access: .person, limit: .change) { call in
        try await liking.remove(mark, from: call.memeID(), by: call.viewer)
        return .noContent
      },
    ]
  }

  private func likers(_ call: Call) async throws -> Response {
    let id = try call.memeID()
    var query = call.query
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await liking.likers(
      of: id, for: call.viewer, after: cursor.map(ListCursor.decode), limit: limit)
    return answer.response(page, at: "/memes/\(id)/likes", limit: limit) { profile, writer in
      json.profile(profile, to: &writer)
    }
  }
}
