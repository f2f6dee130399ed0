package import Bytes
import HTTP
package import Memes
package import Services

/// The report queue: admins list reports and decide on them.
package struct ReportQueueRoutes: Sendable {
  private let handling: HandlingReports
  private let answer: ListResponse
  private let json: ReportJSON
  private let body: Route.Body

  /// - Parameters:
  ///   - basePath: the prefix of every URL in responses, without a trailing slash.
  ///   - spool: where request bodies are stored while they arrive.
  package init(
    handling: HandlingReports, digest: @escaping Digester, basePath: String, spool: SpoolPlace
  ) {
    self.handling = handling
    answer = ListResponse(digest: digest, basePath: basePath)
    json = ReportJSON(basePath: basePath)
    body = .json(maximumBytes: FieldDecoder.maximumPeopleBytes, spool: spool)
  }

  package var routes: [Route] {
    [
      Route(.get, "/admin/reports", access: .admin, query: ["status", "limit", "cursor"], list),
      Route(.patch, "/admin/reports/{id}", access: .admin, body: body, decide),
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    var query = call.query
    let status = query.word("status", Report.Status.self) ?? .open
    let (limit, cursor) = query.page()
    try query.finish()
    let page = try await handling.page(
      of: status, after: cursor.map(ListCursor.decode), limit: limit)
    return answer.response(
      page, at: "/admin/reports?status=\(status.rawValue)", limit: limit, usualBytes: 1024
    ) { report, writer in
      json.write(report, to: &writer)
    }
  }

  private func decide(_ call: Call) async throws -> Response {
    guard let id = call.parameters["id"].flatMap({ ReportID($0) }) else {
      throw Problem(.notFound)
    }
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
    let report = try await handling.decide(decision, on: id, by: call.authority())
    var writer = JSONWriter(capacity: 1024)
    json.write(report, to: &writer)
    var response = Response(.ok, "application/json", writer.finish())
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
