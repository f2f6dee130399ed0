package import Bytes
import HTTP
package import Memes
package import Services

/// Lets callers report memes, comments and users to the admins.
package struct ReportRoutes: Sendable {
  private let reporting: Reporting
  private let digest: Digester
  private let body: Route.Body

  /// - Parameter spool: where request bodies are stored while they arrive.
  package init(reporting: Reporting, digest: @escaping Digester, spool: SpoolPlace) {
    (self.reporting, self.digest) = (reporting, digest)
    body = .json(maximumBytes: FieldDecoder.maximumPeopleBytes, spool: spool)
  }

  package var routes: [Route] {
    [
      route("/memes/{id}/reports") { call in .meme(try call.memeID()) },
      route("/comments/{id}/reports") { call in
        guard let id = call.parameters["id"].flatMap({ CommentID($0) }) else {
          throw Problem(.notFound)
        }
        return .comment(id)
      },
      route("/users/{username}/reports") { call in
        .person(try Username(listed: call.parameters["username"] ?? ""))
      },
    ]
  }

  private func route(
    _ pattern: RoutePattern,
    about subject: @escaping @Sendable (Call) throws -> SubjectName
  ) -> Route {
    Route(.post, pattern, access: .viewer, limit: .report, body: body, takesKeys: true) { call in
      try await report(try subject(call), call)
    }
  }

  private func report(_ subject: SubjectName, _ call: Call) async throws -> Response {
    var fields = try FieldDecoder(people: call.request.body, known: ["reason"])
    let reason = fields.required("reason", ReportReason.init(_:))
    try fields.finish()
    guard let reason else { throw Problem(.invalidInput) }
    let retry = call.retry(digest) { ReportJSON.response($0, .created) }
    switch try await reporting.report(subject, because: reason, by: call.viewer, under: retry) {
    case .filed(let report): return ReportJSON.response(report, .created)
    case .renewed(let report): return ReportJSON.response(report, .ok)
    case .repeated(let first): return try first.response()
    }
  }
}
