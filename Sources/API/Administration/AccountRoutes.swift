import Bytes
import HTTP
import Memes
package import Services
package import Storage

/// Accounts, as admins list, change and delete them. ``AdminRoutes`` has suspensions.
package struct AccountRoutes: Sendable {
  private let list: AccountListStore
  private let statuses: AccountStatusStore
  private let accounts: Accounts
  private let resets: PasswordResets
  private let context: APIContext
  private let json: UserJSON
  private let answer: ListResponse
  private let body: Route.Body

  package init(
    list: AccountListStore, statuses: AccountStatusStore, accounts: Accounts,
    resets: PasswordResets, context: APIContext
  ) {
    (self.list, self.statuses, self.accounts) = (list, statuses, accounts)
    (self.resets, self.context) = (resets, context)
    json = UserJSON(basePath: context.basePath)
    answer = ListResponse(context)
    body = context.fieldsBody
  }

  /// These routes have no rate limit: an admin could lift it anyway. None accepts an `Idempotency-Key`, because the
  /// stored response would contain a link.
  package var routes: [Route] {
    [
      Route(
        .get, "/admin/users", access: .admin, takesTokens: true,
        query: ["q", "status", "role", "limit", "cursor"], accounts),
      Route(.get, "/admin/users/{username}", access: .admin, takesTokens: true, account),
      Route(.patch, "/admin/users/{username}", access: .admin, body: body, change),
      Route(.delete, "/admin/users/{username}", access: .admin, delete),
      Route(.post, "/admin/users/{username}/password-reset", access: .admin, resetPassword),
    ]
  }

  private func accounts(_ call: Call) async throws -> Response {
    var query = call.query
    let (limit, cursor) = query.page()
    let part = query.text("q", AccountPart.init)
    let status = query.word("status", AccountFilter.Status.self)
    let role = query.word("role", Role.self)
    try query.finish()
    let page = try await list.accounts(
      AccountFilter(part: part, status: status, role: role),
      after: cursor.map(ListCursor.decode), limit: limit.count)
    let conditions = [("q", part?.text), ("status", status?.rawValue), ("role", role?.rawValue)]
      .compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
    let suffix = conditions.isEmpty ? "" : "?\(conditions.joined(separator: "&"))"
    return answer.response(page, at: "/admin/users\(suffix)", limit: limit) {
      json.account($0, to: &$1)
    }
  }

  private func account(_ call: Call) async throws -> Response {
    let account = try await list.account(call.username())
    return .uncached { json.account(account, to: &$0) }
  }

  private func change(_ call: Call) async throws -> Response {
    let username = try call.username()
    var fields = try FieldDecoder(people: call.request.body, known: ["role", "quotaBytes"])
    let role = fields.word("role", Role.self)
    let quotaBytes: ProfileChange.Choice<Int>? =
      fields.isNull("quotaBytes")
      ? .clear : fields.number("quotaBytes", Quota.bytes(_:)).map { .set($0) }
    try fields.finish()
    try await statuses.change(
      AccountChange(role: role, quotaBytes: quotaBytes), of: username, by: call.authority(),
      at: context.now())
    return try await account(call)
  }

  private func delete(_ call: Call) async throws -> Response {
    try await accounts.delete(call.username(), by: call.authority())
    return .noContent
  }

  private func resetPassword(_ call: Call) async throws -> Response {
    let link = try await resets.link(for: call.username(), by: call.authority())
    return .uncached(.created) { json in
      json.object { json in
        json.member("url", link.url)
        json.member("expiresAt", link.expiresAt.description)
      }
    }
  }
}
