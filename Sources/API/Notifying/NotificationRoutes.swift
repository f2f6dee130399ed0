package import Bytes
import HTTP
package import Memes

/// What a person is told, and that they have seen it.
package struct NotificationRoutes: Sendable {
  private let notifying: Notifying
  private let answer: ListAnswer
  private let json: NotificationJSON
  private let body: Route.Body

  /// - Parameters:
  ///   - basePath: what every address in an answer begins with; no slash at its end.
  ///   - spool: where bodies wait while they arrive.
  package init(
    notifying: Notifying, digest: @escaping Digester, basePath: String, spool: SpoolPlace
  ) {
    self.notifying = notifying
    answer = ListAnswer(digest: digest, basePath: basePath)
    json = NotificationJSON(basePath: basePath)
    body = .json(maximumBytes: FieldReader.maximumPeopleBytes, spool: spool)
  }

  package var routes: [Route] {
    [
      Route(.get, "/notifications", access: .person, query: ["limit", "cursor"], list),
      Route(.put, "/notifications/read", access: .person, limit: .change, body: body, read),
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    var query = call.query
    let (limit, cursor) = query.page()
    try query.finish()
    let found = try await notifying.page(
      for: call.viewer, after: cursor.map(ListCursor.decode), limit: limit)
    return answer.response(
      found.page, at: "/notifications", limit: limit, usualBytes: 768
    ) { notification, writer in
      json.write(notification, to: &writer)
    } and: { writer in
      writer.member("unread", found.unread)
    }
  }

  private func read(_ call: Call) async throws -> Response {
    var fields = try FieldReader(people: call.request.body, known: ["through"])
    let last = fields.text("through") { text throws(InvalidValue) in
      guard let id = NotificationID(text) else { throw .unknownNotification }
      return id
    }
    try fields.finish()
    try await notifying.read(through: last, by: call.signedIn().person)
    return .noContent
  }
}
