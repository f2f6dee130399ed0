import HTTP
import Memes
package import Storage

/// Likes and favorites, and the users who like a meme. ``MemeListRoutes`` lists a user's favorites.
package struct ReactionRoutes: Sendable {
  private let reactions: ReactionStore
  private let context: APIContext
  private let answer: ListResponse
  private let json: UserJSON

  package init(reactions: ReactionStore, context: APIContext) {
    (self.reactions, self.context) = (reactions, context)
    answer = ListResponse(context)
    json = UserJSON(basePath: context.basePath)
  }

  package var routes: [Route] {
    changes(of: .like, at: "/memes/{id}/like") + changes(of: .favorite, at: "/memes/{id}/favorite")
      + [Route(.get, "/memes/{id}/likes", access: .viewer, query: ["limit", "cursor"], likers)]
  }

  private func changes(of reaction: Reaction, at pattern: RoutePattern) -> [Route] {
    [
      Route(.put, pattern, access: .person, takesTokens: true, limit: .change) { call in
        try await reactions.put(reaction, on: call.memeID(), by: call.viewer, at: context.now())
        return .noContent
      },
      Route(.delete, pattern, access: .person, takesTokens: true, limit: .change) { call in
        try await reactions.remove(reaction, from: call.memeID(), by: call.viewer)
        return .noContent
      },
    ]
  }

  private func likers(_ call: Call) async throws -> Response {
    let id = try call.memeID()
    var query = call.query
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await reactions.likers(
      of: id, for: call.viewer, after: cursor.map(ListCursor.decode), limit: limit.count)
    return answer.response(page, at: "/memes/\(id)/likes", limit: limit) { profile, writer in
      json.profile(profile, listedAt: "likedAt", to: &writer)
    }
  }
}
