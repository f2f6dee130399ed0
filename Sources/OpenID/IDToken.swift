import Bytes
import Crypto
import JSON
import Memes

/// The checks of an ID token (OpenID Connect Core §3.1.3.7).
///
/// The token comes from the token endpoint of the provider, over a connection whose certificate was verified. Item 6 of
/// that section lets this stand for the signature, so there are neither keys nor algorithms here.
struct IDToken {
  /// How far the clocks of the provider and of this server may be apart, in seconds.
  static let skewSeconds = 60.0
  /// The limit of the standard for a subject (§2).
  private static let maximumSubjectBytes = 255

  let subject: String
  let claims: [String: JSON]

  /// - Throws: ``OpenIDError/failed(_:)`` with the reason, without values of the token.
  init(
    _ text: String, for client: OpenIDClient, nonce: String, at time: Timestamp
  ) throws(OpenIDError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])) else {
      throw .failed("the ID token is no signed JWT")
    }
    claims = try JSON.object(Bytes(payload), "the payload of the ID token")
    guard claims["iss"] == .text(client.issuer.text) else {
      throw .failed("the ID token is of another issuer")
    }
    try Self.check(audienceOf: claims, client)
    try Self.check(timesOf: claims, at: time)
    guard let sent = claims["nonce"]?.claimedText,
      constantTimeEqual(Array(sent.utf8), Array(nonce.utf8))
    else { throw .failed("the ID token has another nonce") }
    guard let subject = claims["sub"]?.claimedText,
      (1...Self.maximumSubjectBytes).contains(subject.utf8.count), !subject.utf8.contains(0)
    else { throw .failed("the ID token has no valid subject") }
    self.subject = subject
  }

  /// Items 3 to 5: this client must be meant, and if others are too, the token must have been made for this one.
  private static func check(
    audienceOf claims: [String: JSON], _ client: OpenIDClient
  ) throws(OpenIDError) {
    let audiences: [JSON] =
      switch claims["aud"] {
      case .array(let elements): elements
      case let single?: [single]
      case nil: []
      }
    guard audiences.contains(.text(client.id)) else {
      throw .failed("the ID token is for another client")
    }
    guard claims["azp"] == nil && audiences.count == 1 || claims["azp"] == .text(client.id) else {
      throw .failed("the ID token was made for another client")
    }
  }

  /// Items 9 and 10.
  private static func check(
    timesOf claims: [String: JSON], at time: Timestamp
  ) throws(OpenIDError) {
    let now = Double(time.millisecondsSince1970) / 1000
    guard case .number(let end) = claims["exp"], now < end + skewSeconds else {
      throw .failed("the ID token has expired")
    }
    guard case .number(let issued) = claims["iat"], issued <= now + skewSeconds else {
      throw .failed("the ID token is from the future")
    }
  }
}
