/// An act as the log has it.
package struct AuditRecord: Sendable {
  /// By what right it was done: `token`, `person` or `command`.
  package let actor: String
  /// The username that the actor had; `nil` where it was no person.
  package let username: String?
  package let at: Timestamp
  package let act: String
  package let subject: String?
  /// A JSON object.
  package let details: String
  package let request: String?

  package init(
    at time: Timestamp, actor: String, username: String?, act: String, subject: String?,
    details: String, request: String?
  ) {
    (at, self.actor, self.username, self.act) = (time, actor, username, act)
    (self.subject, self.details, self.request) = (subject, details, request)
  }
}

/// What admins did. It is never purged.
package protocol AuditLog: Sendable {
  /// Acts, newest first.
  func entries(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<AuditRecord>
}
