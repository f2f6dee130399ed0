/// An account as admins see it.
package struct ListedAccount: Sendable, Equatable {
  package let user: User
  /// `nil` if the account is not suspended.
  package let suspendedAt: Timestamp?
  /// The bytes that count in the account's quota.
  package let storedBytes: Int
  /// `nil` if it is off.
  package let secondFactor: SecondFactor?
  /// The quota of this account, in bytes; `nil` if the limit of all accounts applies.
  package let quotaBytes: Int?

  package init(
    user: User, suspendedAt: Timestamp?, storedBytes: Int, quotaBytes: Int?,
    secondFactor: SecondFactor? = nil
  ) {
    (self.user, self.suspendedAt, self.storedBytes) = (user, suspendedAt, storedBytes)
    (self.quotaBytes, self.secondFactor) = (quotaBytes, secondFactor)
  }
}

/// A change of an account by an admin. A part that is `nil` stays.
package struct AccountChange: Sendable {
  package let role: Role?
  /// The quota of the account, in bytes. Without its own, the limit of all accounts applies.
  package let quotaBytes: ProfileChange.Choice<Int>?

  package init(role: Role? = nil, quotaBytes: ProfileChange.Choice<Int>? = nil) {
    (self.role, self.quotaBytes) = (role, quotaBytes)
  }
}

/// A filter for accounts. An account matches if it fulfills every condition that is set.
package struct AccountFilter: Sendable {
  package enum Status: String, CaseIterable, Sendable { case active, suspended }

  package let part: AccountPart?
  package let status: Status?
  package let role: Role?

  package init(part: AccountPart? = nil, status: Status? = nil, role: Role? = nil) {
    (self.part, self.status, self.role) = (part, status, role)
  }
}

/// A part of a username or an email, without regard to the case of ASCII letters.
package struct AccountPart: Sendable {
  /// The maximum length of an email.
  private static let maximumBytes = 254

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    guard !text.utf8.contains(0) else { throw .nul }
    guard text.utf8.count <= Self.maximumBytes else {
      throw .tooLong(limit: Self.maximumBytes)
    }
    self.text = text
  }
}
