/// The role of an account.
package enum Role: String, CaseIterable, Sendable {
  case member
  /// Has the same rights as the admin token.
  case admin
}

/// The role of an account, and whether it is suspended.
package struct AccountStatus: Hashable, Sendable {
  package static let member = AccountStatus(role: .member, isSuspended: false)

  package let role: Role
  /// Whether the user may do nothing but delete the account.
  package let isSuspended: Bool

  package init(role: Role, isSuspended: Bool) {
    (self.role, self.isSuspended) = (role, isSuspended)
  }
}
