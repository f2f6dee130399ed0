package import Bytes
import HTTP
package import Memes
package import Services

/// Notifications: list them and mark them as read.
package struct NotificationRoutes: Sendable {
  private let notifying: Notifying
  private let answer: ListResponse
  private let json: NotificationJSON
  private let body: Route.Body

  /// - Parameters:
  ///   - basePath: the prefix of every URL in responses, without a trailing slash.
  ///   - spool: where request bodies are stored while they arrive.
  package init(
    notifying: Notifying, digest: @escaping Digester, basePath: String, spool: SpoolPlace
  ) {
    self.notifying = notifying
    answer = ListResponse(digest: digest, basePath: basePath)
    json = NotificationJSON(basePath: basePath)
    body = .json(maximumBytes: FieldDecoder.maximumPeopleBytes, spool: spool)
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
    var fields = try FieldDecoder(people: call.request.body, known: ["through"])
    let last = fields.text("through") { text in
      guard let id = NotificationID(text) else { throw InvalidValue.unknownNotification }
      return id
    }
    try fields.finish()
    try await notifying.read(through: last, by: call.signedIn().person)
    return .noContent
  }
}
