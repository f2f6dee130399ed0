package import Crypto

/// What an operator registers at a provider, and what the server asks it for.
package struct OpenIDClient: Sendable {
  package let issuer: OpenIDIssuer
  let id: String
  let secret: Secret
  /// Separated by spaces, with `openid` among them.
  let scopes: String
  let adminClaim: AdminClaim?

  /// - Parameters:
  ///   - scopes: separated by spaces, with `openid` among them.
  ///   - adminClaim: `nil` if the provider does not decide who is an admin.
  package init(
    issuer: OpenIDIssuer, id: String, secret: Secret, scopes: String, adminClaim: AdminClaim?
  ) {
    (self.issuer, self.id, self.secret) = (issuer, id, secret)
    (self.scopes, self.adminClaim) = (scopes, adminClaim)
  }
}
