import Bytes
import Crypto
import JSON
package import Memes

/// An OpenID Connect provider, at which users sign in with the authorization code flow and PKCE.
///
/// Safe to use from any thread.
package final class OpenIDProvider: Sendable {
  /// The time for one request.
  private static let requestTime = Duration.seconds(10)
  /// The time for all requests of one sign-in, which is shorter than the server's time for its response.
  private static let wholeTime = Duration.seconds(20)

  /// How users know the provider.
  package let name: String
  package let issuer: OpenIDIssuer
  private let client: OpenIDClient
  private let transfers: ProviderTransfers
  private let cache: MetadataCache
  private let now: @Sendable () -> Timestamp

  /// Connects to nothing yet.
  ///
  /// - Parameters:
  ///   - name: how users know the provider.
  ///   - now: the clock for the times of ID tokens.
  package init(
    _ client: OpenIDClient, named name: String, now: @escaping @Sendable () -> Timestamp
  ) {
    let transfers = ProviderTransfers()
    (self.client, self.name, self.now, self.transfers) = (client, name, now, transfers)
    issuer = client.issuer
    cache = MetadataCache(now: now) { [issuer = client.issuer] in
      let response = try await transfers.run(
        ProviderRequest(issuer.discoveryURL), within: Self.requestTime)
      return try ProviderMetadata(response.expected("the discovery document"), of: issuer)
    }
  }

  /// The URL at which the user's browser begins the sign-in.
  ///
  /// - Parameters:
  ///   - state: comes back with the user.
  ///   - nonce: comes back in the ID token.
  ///   - verifier: the secret of PKCE (RFC 7636), of which the URL has a digest.
  ///   - redirect: the URL of this server to which the provider sends the user.
  /// - Throws: ``OpenIDError``.
  package func signInURL(
    state: String, nonce: String, verifier: String, redirect: String
  ) async throws -> String {
    let endpoint = try await cache.metadata().authorizationEndpoint.text
    let challenge = Base64URL.encode(SHA256.digest(of: Bytes(verifier)))
    let query = FormText.encode([
      ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirect),
      ("scope", client.scopes), ("state", state), ("nonce", nonce),
      ("code_challenge", challenge), ("code_challenge_method", "S256"),
    ])
    return "\(endpoint)\(endpoint.contains("?") ? "&" : "?")\(query)"
  }

  /// Redeems the code of a sign-in.
  ///
  /// - Parameters:
  ///   - nonce: what ``signInURL(state:nonce:verifier:redirect:)`` had, like the other parameters.
  /// - Throws: ``OpenIDError``.
  package func claims(
    code: String, nonce: String, verifier: String, redirect: String
  ) async throws -> ProviderClaims {
    let deadline = ContinuousClock.now + Self.wholeTime
    let metadata = try await cache.metadata()
    let tokens = try await redeem(
      code, verifier: verifier, redirect: redirect, metadata, until: deadline)
    guard let text = tokens["id_token"]?.claimedText else {
      throw OpenIDError.failed("the token response has no ID token")
    }
    let token = try IDToken(text, for: client, nonce: nonce, at: now())
    var claims = token.claims
    if let endpoint = metadata.userInfoEndpoint, lacksClaims(claims),
      let access = tokens["access_token"]?.claimedText
    {
      var others = try await userInfo(endpoint, access, until: deadline)
      // OpenID Connect Core §5.3.2: otherwise, the response may be about someone else.
      guard others["sub"] == .text(token.subject) else {
        throw OpenIDError.failed("the user info is about another subject")
      }
      // An email and its verification belong together: the user may have chosen one of two different emails.
      if claims["email"] == nil {
        claims["email_verified"] = nil
      } else if claims["email"] != others["email"] {
        others["email_verified"] = nil
      }
      claims.merge(others) { own, _ in own }
    }
    return ProviderClaims(claims, of: token.subject, client.adminClaim)
  }

  /// Some providers put only the subject into the ID token.
  private func lacksClaims(_ claims: [String: JSON]) -> Bool {
    let names =
      ["preferred_username", "name", "email"] + [client.adminClaim?.name].compactMap(\.self)
    return names.contains { claims[$0] == nil }
  }

  private func redeem(
    _ code: String, verifier: String, redirect: String, _ metadata: ProviderMetadata,
    until deadline: ContinuousClock.Instant
  ) async throws -> [String: JSON] {
    var request = ProviderRequest(metadata.tokenEndpoint.text)
    var form = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
      ("code_verifier", verifier),
    ]
    let secret = client.secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    if metadata.sendsSecretInBody {
      form += [("client_id", client.id), ("client_secret", secret)]
    } else {
      // RFC 6749 §2.3.1: both are encoded like the values of a form.
      request.credential = .basic(
        user: client.id.percentEncoded, password: secret.percentEncoded)
    }
    request.form = form
    let response = try await send(request, until: deadline)
    if response.status == 400, Self.error(in: response) == "invalid_grant" {
      throw OpenIDError.codeRefused
    }
    return try JSON.object(response.expected("the token response"), "the token response")
  }

  private func userInfo(
    _ endpoint: ProviderURL, _ access: String, until deadline: ContinuousClock.Instant
  ) async throws -> [String: JSON] {
    var request = ProviderRequest(endpoint.text)
    request.credential = .bearer(access)
    let response = try await send(request, until: deadline)
    return try JSON.object(response.expected("the user info"), "the user info")
  }

  private func send(
    _ request: ProviderRequest, until deadline: ContinuousClock.Instant
  ) async throws -> ProviderResponse {
    try await transfers.run(request, within: min(Self.requestTime, deadline - .now))
  }

  private static func error(in response: ProviderResponse) -> String? {
    try? JSON.object(response.body, "")["error"]?.claimedText
  }
}

extension ProviderResponse {
  /// The body of a 200.
  ///
  /// - Parameter name: what it is, for the log.
  fileprivate func expected(_ name: String) throws(OpenIDError) -> Bytes {
    guard status == 200 else { throw .failed("\(name) has the status \(status)") }
    return body
  }
}
