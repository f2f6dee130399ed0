/// An entry as it is stored in the audit log.
package struct AuditRecord: Sendable {
  /// The kind of authority: `token`, `person` or `command`.
  package let actor: String
  /// The actor's username at the time of the action; `nil` if the actor was not a user.
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
