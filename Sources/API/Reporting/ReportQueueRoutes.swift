import HTTP
import Memes
package import Storage

/// The report queue: admins list reports and decide on them. They act on the reported content through the same routes
/// as its owner.
package struct ReportQueueRoutes: Sendable {
  private let reports: ReportStore
  private let context: APIContext
  private let answer: ListResponse
  private let json: ReportJSON
  private let body: Route.Body

  package init(reports: ReportStore, context: APIContext) {
    (self.reports, self.context) = (reports, context)
    answer = ListResponse(context, usualBytes: 1024)
    json = ReportJSON(basePath: context.basePath)
    body = context.fieldsBody
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/admin/reports", access: .admin, takesTokens: true,
        query: ["status", "limit", "cursor"], list),
      Route(.patch, "/admin/reports/{id}", access: .admin, takesTokens: true, body: body, decide),
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    var query = call.query
    let status = query.word("status", Report.Status.self) ?? .open
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await reports.reports(
      of: status, after: cursor.map(ListCursor.decode), limit: limit.count)
    return answer.response(
      page, at: "/admin/reports?status=\(status.rawValue)", limit: limit
    ) { report, writer in
      json.write(report, to: &writer)
    }
  }

  private func decide(_ call: Call) async throws -> Response {
    let id: ReportID = try call.id()
    var fields = try FieldDecoder(people: call.request.body, known: ["status", "note", "all"])
    let status = fields.word("status", Report.Status.self)
    fields.require(["status"])
    let isCleared = fields.isNull("note")
    let note = fields.text("note", ReportNote.init(_:))
    let isForAll = fields.flag("all") ?? false
    try fields.finish()
    guard let status else { throw Problem(.invalidInput) }
    let decision = ReportDecision(
      status: status, note: note != nil || isCleared ? .set(note) : .keep, isForAll: isForAll)
    let authority = try call.authority()
    let entry = AuditEntry(at: context.now(), authority, decision.act, id.description)
    let report = try await reports.decide(decision, on: id, recording: entry)
    return .uncached { json.write(report, to: &$0) }
  }
}
