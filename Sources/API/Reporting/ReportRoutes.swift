import HTTP
import Memes
package import Services

/// Lets callers report memes, comments and users to the admins.
package struct ReportRoutes: Sendable {
  private let filing: ReportFiling
  private let context: APIContext
  private let body: Route.Body

  package init(filing: ReportFiling, context: APIContext) {
    (self.filing, self.context) = (filing, context)
    body = context.fieldsBody
  }

  package var routes: [Route] {
    [
      route("/memes/{id}/reports") { call in .meme(try call.memeID()) },
      route("/comments/{id}/reports") { call in .comment(try call.id()) },
      route("/users/{username}/reports") { call in
        .person(try call.username())
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
    let request = call.idempotentRequest(context.digest) { ReportJSON.response($0, .created) }
    switch try await filing.report(subject, because: reason, by: call.viewer, under: request) {
    case .filed(let report): return ReportJSON.response(report, .created)
    case .renewed(let report): return ReportJSON.response(report, .ok)
    case .repeated(let first): return try first.replayedResponse()
    }
  }
}
