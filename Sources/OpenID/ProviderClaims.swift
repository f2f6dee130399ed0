import JSON

/// What a provider says about a user who has signed in there.
package struct ProviderClaims: Sendable, Equatable {
  /// Identifies the user together with the issuer, forever.
  package let subject: String
  /// The name that the user wants to have, in the form of the provider.
  package let username: String?
  package let displayName: String?
  package let email: String?
  /// Whether the provider has verified that the email is the user's.
  package let isEmailVerified: Bool
  /// Whether the user is an admin; `nil` if the provider does not decide this.
  package let isAdmin: Bool?

  init(_ claims: [String: JSON], of subject: String, _ adminClaim: AdminClaim?) {
    self.subject = subject
    username = claims["preferred_username"]?.claimedText
    displayName = claims["name"]?.claimedText
    email = claims["email"]?.claimedText
    isEmailVerified = claims["email_verified"] == .bool(true)
    isAdmin = adminClaim.map { $0.holds(for: claims[$0.name]) }
  }
}
