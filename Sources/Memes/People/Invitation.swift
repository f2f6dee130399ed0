package import Foundation

/// The public ID of an invitation. It is not a credential.
package struct InvitationID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// An invitation to create an account. Its code is the credential, and only a digest of it is stored.
package struct Invitation: Sendable, Equatable {
  /// How long an invitation is valid, unless an admin chooses another time.
  package static let lifetimeMilliseconds: Int64 = 14 * 86_400_000
  /// The longest time that an admin can choose.
  package static let maximumMilliseconds: Int64 = 365 * 86_400_000
  /// The numbers of accounts that one invitation of an admin can create.
  package static let uses = 1...1000
  /// The maximum number of valid invitations of an admin, and of the admin token.
  package static let maximumCount = 1000

  package let id: InvitationID
  /// `nil` if the inviter used the admin token.
  package let inviter: Username?
  package let createdAt: Timestamp
  package let terms: Terms

  package init(id: InvitationID, inviter: Username?, createdAt: Timestamp, terms: Terms) {
    (self.id, self.inviter, self.createdAt, self.terms) = (id, inviter, createdAt, terms)
  }

  /// What an inviter decides.
  package struct Terms: Sendable, Equatable {
    /// The email that the new account must have; `nil` for any.
    package let email: EmailAddress?
    /// The role of the new account.
    package let role: Role
    /// How many accounts can still be created.
    package let uses: Int
    package let expiresAt: Timestamp

    package init(email: EmailAddress?, role: Role, uses: Int, expiresAt: Timestamp) {
      (self.email, self.role, self.uses, self.expiresAt) = (email, role, uses, expiresAt)
    }
  }
}

/// Who can create an account.
package enum RegistrationMode: String, CaseIterable, Sendable {
  case open
  /// Only callers with the code of an invitation.
  case invite
  /// Only an operator.
  case closed
}
