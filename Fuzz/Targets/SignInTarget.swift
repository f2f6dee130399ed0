import Bytes
import Crypto
import Foundation
import JSON
import Memes

@testable import API
@testable import OpenID
@testable import Services

extension FuzzTarget {
  /// Single sign-on: the page to show afterwards, an ID token's payload, and the username that a provider sends.
  static let signIn = FuzzTarget(name: "sign-in", maximumBytes: 2048) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let path = AppPath(text) {
      let base = URL(string: "https://memes.example/")
      let url = URL(string: path.text, relativeTo: base)?.absoluteURL.standardized
      try require(url?.host() == "memes.example", "a page is on this server")
      try require(url?.path().hasPrefix("/app") == true, "a page is one of the app")
      try require(
        path.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a page is a header value")
    }
    let names = ProviderAccounts.usernames(for: text)
    try require(!names.isEmpty, "every user gets a username")
    for name in names {
      try require((try? Username(wanted: name.text)) == name, "the username is valid")
    }
    try checkToken(bytes)
  }

  private static func checkToken(_ payload: [UInt8]) throws {
    guard let issuer = OpenIDIssuer("https://login.example") else { return }
    let client = OpenIDClient(
      issuer: issuer, id: "memes", secret: Secret([1]), scopes: "openid", adminClaim: nil)
    let time = Timestamp(millisecondsSince1970: 1_800_000_000_000)
    for text in ["e30.\(Base64URL.encode(payload)).e30", String(decoding: payload, as: UTF8.self)] {
      guard let token = try? IDToken(text, for: client, nonce: "n", at: time) else { continue }
      let claims = token.claims
      try require(claims["iss"] == .text("https://login.example"), "the issuer is the known one")
      try require(claims["nonce"] == .text("n"), "the nonce is the known one")
      try require((1...255).contains(token.subject.utf8.count), "a subject is short")
      guard case .number(let end) = claims["exp"] else {
        throw Violation(description: "a token expires")
      }
      try require(end > 1_799_999_939, "the token has not expired")
      try require(
        claims["aud"] == .text("memes") || claims["aud"] == .array([.text("memes")])
          || claims["azp"] == .text("memes"), "the token is for this client")
    }
  }
}
