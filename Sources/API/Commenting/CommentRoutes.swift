import HTTP
import Memes
package import Services
package import Storage

/// Comments: create, list, show, edit and delete.
package struct CommentRoutes: Sendable {
  /// Enough for a comment of maximum length with every character escaped.
  private static let maximumBytes = 128 << 10

  private let publisher: CommentPublisher
  private let comments: CommentStore
  private let context: APIContext
  private let answer: ListResponse
  private let json: CommentJSON
  private let body: Route.Body

  package init(publisher: CommentPublisher, comments: CommentStore, context: APIContext) {
    (self.publisher, self.comments, self.context) = (publisher, comments, context)
    answer = ListResponse(context)
    json = CommentJSON(basePath: context.basePath)
    body = .json(maximumBytes: Self.maximumBytes, spool: context.spool)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/memes/{id}/comments", access: .viewer, query: ["sort", "limit", "cursor"], list),
      Route(
        .post, "/memes/{id}/comments", access: .person, takesTokens: true, limit: .comment,
        body: body,
        takesKeys: true, write),
      Route(.get, "/comments/{id}", access: .viewer) { call in
        response(try await comments.comment(call.id(), for: call.viewer))
      },
      Route(
        .patch, "/comments/{id}", access: .person, takesTokens: true, limit: .comment, body: body,
        edit),
      Route(
        .delete, "/comments/{id}", access: .credentials, takesTokens: true, limit: .change, delete),
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    let meme = try call.memeID()
    var query = call.query
    let order = query.word("sort", CommentOrder.self) ?? .newest
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await comments.comments(
      on: meme, for: call.viewer, order, after: cursor.map(ListCursor.decode), limit: limit.count)
    let address = "/memes/\(meme)/comments?sort=\(order.rawValue)"
    return answer.response(page, at: address, limit: limit) { json.write($0, to: &$1) }
  }

  private func write(_ call: Call) async throws -> Response {
    let meme = try call.memeID()
    let text = try text(of: call)
    let request = call.idempotentRequest(context.digest, keeping: created)
    switch try await publisher.write(text, on: meme, by: call.viewer, under: request) {
    case .written(let comment): return created(comment)
    case .repeated(let first): return try first.replayedResponse()
    }
  }

  private func edit(_ call: Call) async throws -> Response {
    let id: CommentID = try call.id()
    return response(
      try await comments.replace(
        id, with: text(of: call), if: call.versionCondition(), by: call.viewer, at: context.now()))
  }

  private func delete(_ call: Call) async throws -> Response {
    let id: CommentID = try call.id()
    let condition = try call.versionCondition()
    let time = context.now()
    let entry = Authority(call.viewer, request: call.requestName).map {
      AuditEntry(at: time, $0, .deleteComment, id.description)
    }
    try await comments.delete(id, if: condition, by: call.viewer, at: time, recording: entry)
    return .noContent
  }

  private func text(of call: Call) throws(Problem) -> CommentText {
    guard case .bytes(let bytes) = call.request.body else { throw Problem(.malformedRequest) }
    var fields = try FieldDecoder(body: bytes, known: ["text"])
    let text = fields.required("text", CommentText.init(_:))
    try fields.finish()
    guard let text else { throw Problem(.invalidInput) }
    return text
  }

  private func created(_ comment: Comment) -> Response {
    var response = response(comment).with(.location, HeaderValue(json.url(of: comment.id)))
    response.status = .created
    return response
  }

  private func response(_ comment: Comment) -> Response {
    var writer = JSONWriter()
    json.write(comment, to: &writer)
    return .revalidated(writer.finish(), version: "\(comment.version).", context.digest)
  }
}
