import HTTP
package import Memes

/// Likes and favorites, and who likes a meme. The list of favorites is one of memes.
package struct LikingRoutes: Sendable {
  private let liking: Liking
  private let answer: ListAnswer
  private let json: UserJSON

  /// - Parameter basePath: what every address in an answer begins with; no slash at its end.
  package init(liking: Liking, digest: @escaping Digester, basePath: String) {
    self.liking = liking
    answer = ListAnswer(digest: digest, basePath: basePath)
    json = UserJSON(basePath: basePath)
  }

  package var routes: [Route] {
    mark(.like, "/memes/{id}/like") + mark(.favorite, "/memes/{id}/favorite") + [
      Route(.get, "/memes/{id}/likes", access: .viewer, query: ["limit", "cursor"], likers)
    ]
  }

  private func mark(_ mark: Mark, _ pattern: RoutePattern) -> [Route] {
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
