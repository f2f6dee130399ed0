import HTTP
import Memes
package import Services
package import Storage

/// Admin endpoints. An admin acts on a single meme, comment or template through the same routes as its owner.
package struct AdminRoutes: Sendable {
  private let statuses: AccountStatusStore
  private let memes: MemeStore
  private let bulkDeletion: BulkDeletion
  private let log: AuditLog
  private let overview: Overview
  private let context: APIContext
  private let body: Route.Body

  package init(
    statuses: AccountStatusStore, memes: MemeStore, bulkDeletion: BulkDeletion, log: AuditLog,
    overview: Overview, context: APIContext
  ) {
    (self.statuses, self.memes, self.bulkDeletion) = (statuses, memes, bulkDeletion)
    (self.log, self.overview, self.context) = (log, overview, context)
    body = context.fieldsBody
  }

  /// These routes have no rate limit: an admin could lift it anyway.
  package var routes: [Route] {
    [
      Route(
        .put, "/admin/users/{username}/suspension", access: .admin, takesTokens: true, body: body,
        suspend),
      Route(
        .delete, "/admin/users/{username}/suspension", access: .admin, takesTokens: true, unsuspend),
      Route(
        .delete, "/memes", access: .admin, takesTokens: true,
        query: ["author", "anonymous", "after", "before", "dryRun"], deleteMemes),
      Route(
        .get, "/admin/audit", access: .admin, takesTokens: true, query: ["limit", "cursor"], audit),
      Route(.get, "/admin/stats", access: .admin, takesTokens: true, statistics),
    ]
  }

  private func suspend(_ call: Call) async throws -> Response {
    var fields = try FieldDecoder(people: call.request.body, known: ["reason"])
    let reason = fields.text("reason", SuspensionReason.init)
    try fields.finish()
    try await statuses.suspend(
      call.username(), because: reason, by: call.authority(), at: context.now())
    return .noContent
  }

  private func unsuspend(_ call: Call) async throws -> Response {
    try await statuses.unsuspend(call.username(), by: call.authority(), at: context.now())
    return .noContent
  }

  private func deleteMemes(_ call: Call) async throws -> Response {
    var query = call.query
    let isDry = query.isTrue("dryRun")
    let filter = query.memeFilter()
    try query.finish()
    guard let filter else { throw Problem(.invalidInput) }
    let authority = try call.authority()
    let count =
      isDry
      ? try await memes.count(filter)
      : try await bulkDeletion.delete(filter, by: authority)
    return .uncached { json in json.object { $0.member("count", count) } }
  }

  private func audit(_ call: Call) async throws -> Response {
    var query = call.query
    let limit = query.number("limit", PageLimit.init) ?? .standard
    let cursor = query.text("cursor") { (text) in text }
    try query.finish()
    let page = try await log.entries(
      after: cursor.map(ListCursor.decode), limit: limit.count)
    let next = page.next.map(ListCursor.encode)
    var response = Response.uncached { json in
      json.object { json in
        json.array("items") { json in
          for record in page.items { AdminJSON.write(record, to: &json) }
        }
        json.member("nextCursor", next)
      }
    }
    if let next {
      response.headers[.link] = HeaderValue(
        "<\(context.basePath)/admin/audit?limit=\(limit.count)&cursor=\(next)>; rel=\"next\"")
    }
    return response
  }

  private func statistics(_ call: Call) async throws -> Response {
    let figures = try await overview.figures(at: context.now())
    return .uncached { AdminJSON.write(figures, to: &$0) }
  }
}

extension FieldDecoder {
  private enum Sole: String, CaseIterable { case `true` }

  /// Reads the conditions that select memes.
  ///
  /// - Returns: `nil` if the conditions are invalid or would select all memes.
  fileprivate mutating func memeFilter() -> MemeFilter? {
    let after = text("after", Timestamp.init(_:))
    let before = text("before", Timestamp.init(_:))
    let author = text("author", Username.init(_:))
    let isAnonymous = word("anonymous", Sole.self) != nil
    if author != nil, isAnonymous {
      reject("anonymous", code: "not-together", "author and anonymous are mutually exclusive.")
    }
    let names = ["author", "anonymous", "after", "before"]
    if !names.contains(where: has) {
      reject(
        "filter", code: "missing",
        "At least one of these is required: \(names.joined(separator: ", ")). You cannot select all memes at once."
      )
    }
    return MemeFilter(
      after: after, before: before,
      author: author.map { .person($0) } ?? (isAnonymous ? .anonymous : nil))
  }
}
