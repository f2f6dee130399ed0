package import Foundation

/// The public ID of an identity. It is not a credential.
package struct IdentityID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// A user at a provider of single sign-ons. The email is not part of it: providers reassign emails.
package struct ProviderIdentity: Sendable, Hashable {
  /// The URL of the provider.
  package let issuer: String
  /// The user's name at the provider, which never changes.
  package let subject: String

  package init(issuer: String, subject: String) { (self.issuer, self.subject) = (issuer, subject) }
}

/// An identity that signs a user in.
package struct LinkedIdentity: Sendable, Equatable {
  package let id: IdentityID
  package let identity: ProviderIdentity
  package let createdAt: Timestamp
  /// The time of the latest sign-in with it.
  package let lastUsedAt: Timestamp

  package init(
    id: IdentityID, _ identity: ProviderIdentity, createdAt: Timestamp, lastUsedAt: Timestamp
  ) {
    (self.id, self.identity) = (id, identity)
    (self.createdAt, self.lastUsedAt) = (createdAt, lastUsedAt)
  }
}
