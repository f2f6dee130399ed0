/// What a person is to the server.
package enum Role: String, CaseIterable, Sendable {
  case member
  /// May do whatever the admin's token lets its bearer do.
  case admin
}

/// What a person may do at this moment, beside what is theirs.
package struct Standing: Hashable, Sendable {
  package static let member = Standing(role: .member, isSuspended: false)

  package let role: Role
  /// Whether they may do nothing but leave.
  package let isSuspended: Bool

  package init(role: Role, isSuspended: Bool) {
    (self.role, self.isSuspended) = (role, isSuspended)
  }
}
