import HTTP
import Memes
package import Storage

/// Notifications: list them and mark them as read.
package struct NotificationRoutes: Sendable {
  private let notifications: NotificationStore
  private let answer: ListResponse
  private let json: NotificationJSON
  private let body: Route.Body

  package init(notifications: NotificationStore, context: APIContext) {
    self.notifications = notifications
    answer = ListResponse(context, usualBytes: 768)
    json = NotificationJSON(basePath: context.basePath)
    body = context.fieldsBody
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/notifications", access: .person, takesTokens: true, query: ["limit", "cursor"], list
      ),
      Route(
        .put, "/notifications/read", access: .person, takesTokens: true, limit: .change, body: body,
        read),
    ]
  }

  private func list(_ call: Call) async throws -> Response {
    var query = call.query
    let (limit, cursor) = query.page()
    try query.finish()
    let found = try await notifications.notifications(
      for: call.viewer, after: cursor.map(ListCursor.decode), limit: limit.count)
    return answer.response(found.page, at: "/notifications", limit: limit) { notification, writer in
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
    try await notifications.markRead(through: last, by: call.signedIn().person)
    return .noContent
  }
}
