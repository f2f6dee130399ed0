import HTTP
import Memes
package import Storage

/// The tags of public memes.
package struct TagRoutes: Sendable {
  private let memes: MemeStore
  private let answer: ListResponse

  package init(memes: MemeStore, context: APIContext) {
    self.memes = memes
    answer = ListResponse(context, usualBytes: 64)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/tags", access: .viewer, limit: .search, query: ["q", "limit"],
        cachePolicy: .untilMemesChange, list)
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    var query = call.query
    let sought = query.text("q") { (text) in text }
    let limit = query.number("limit", PageLimit.init) ?? .standard
    try query.finish()
    let beginning = sought.flatMap(Tag.init(beginning:))
    // No tag begins with other characters.
    let isImpossible = beginning == nil && sought?.allSatisfy { $0 == "#" } == false
    let tags =
      isImpossible ? [] : try await memes.tags(beginning: beginning, atMost: limit.count)
    return answer.response(tags, next: nil, at: "/tags", limit: limit) { counted, json in
      json.object { json in
        json.member("tag", counted.tag.text)
        json.member("memes", counted.memes)
      }
    }
  }
}
