/// An account as admins see it.
package struct ListedAccount: Sendable, Equatable {
  package let user: User
  /// `nil` if the account is not suspended.
  package let suspendedAt: Timestamp?
  /// The bytes that count in the account's quota.
  package let storedBytes: Int
  /// `nil` if it is off.
  package let secondFactor: SecondFactor?

  package init(
    user: User, suspendedAt: Timestamp?, storedBytes: Int, secondFactor: SecondFactor? = nil
  ) {
    (self.user, self.suspendedAt, self.storedBytes) = (user, suspendedAt, storedBytes)
    self.secondFactor = secondFactor
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
