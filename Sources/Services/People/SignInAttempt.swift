import Crypto
package import Memes

/// A single sign-on that a browser has begun. The browser keeps it in a cookie, encrypted under the server's key, so
/// that no other browser can finish it, and the server needs no row.
package struct SignInAttempt: Sendable, Equatable {
  static let lifetimeMilliseconds: Int64 = 10 * 60_000

  /// Comes back with the user, and shows that the response belongs to this attempt.
  let state: String
  /// Comes back in the ID token, and shows that the token belongs to this attempt.
  let nonce: String
  /// The secret of PKCE (RFC 7636).
  let verifier: String
  let expiresAt: Timestamp
  package let wish: Wish

  /// What the user wants.
  package struct Wish: Sendable, Equatable {
    /// The path of the page to show afterwards, without the server's base path; it has no line breaks.
    package let page: String
    /// The code of an invitation, for a new account.
    package let invitation: String?
    /// The session whose user wants to link the identity; `nil` for a sign-in.
    package let linking: SessionID?

    package init(page: String, invitation: String? = nil, linking: SessionID? = nil) {
      (self.page, self.invitation, self.linking) = (page, invitation, linking)
    }
  }

  init(_ wish: Wish, at time: Timestamp) {
    (state, nonce) = (SecretToken.make(), SecretToken.make())
    verifier = SecretToken.make()
    expiresAt = Timestamp(
      millisecondsSince1970: time.millisecondsSince1970 + Self.lifetimeMilliseconds)
    self.wish = wish
  }
}

extension SignInAttempt {
  private static let context = Array("attempt".utf8)

  func sealed(by cipher: SecretCipher) -> String {
    let fields = [
      state, nonce, verifier, "\(expiresAt.millisecondsSince1970)", wish.page,
      wish.invitation ?? "", wish.linking?.description ?? "",
    ]
    return Base64URL.encode(
      cipher.seal(Array(fields.joined(separator: "\n").utf8), for: Self.context))
  }

  /// - Returns: `nil` if this server did not seal the text, or the attempt has expired.
  init?(_ text: String, sealedBy cipher: SecretCipher, at time: Timestamp) {
    guard text.utf8.count <= 4096, let sealed = Base64URL.decode(text),
      let bytes = cipher.open(sealed, for: Self.context)
    else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 7, let end = Int64(fields[3]) else { return nil }
    (state, nonce, verifier) = (fields[0], fields[1], fields[2])
    expiresAt = Timestamp(millisecondsSince1970: end)
    wish = Wish(
      page: fields[4], invitation: fields[5].isEmpty ? nil : fields[5],
      linking: SessionID(fields[6]))
    guard time < expiresAt else { return nil }
  }
}

/// The permission of a session to link an identity, as a text that a browser takes to the begin of a single sign-on.
struct LinkTicket {
  static let lifetimeMilliseconds: Int64 = 2 * 60_000
  private static let context = Array("link".utf8)

  let session: SessionID
  let expiresAt: Timestamp

  init(_ session: SessionID, at time: Timestamp) {
    self.session = session
    expiresAt = Timestamp(
      millisecondsSince1970: time.millisecondsSince1970 + Self.lifetimeMilliseconds)
  }

  func sealed(by cipher: SecretCipher) -> String {
    let text = "\(session)\n\(expiresAt.millisecondsSince1970)"
    return Base64URL.encode(cipher.seal(Array(text.utf8), for: Self.context))
  }

  /// - Returns: `nil` if this server did not seal the text, or the permission has expired.
  init?(_ text: String, sealedBy cipher: SecretCipher, at time: Timestamp) {
    guard text.utf8.count <= 512, let sealed = Base64URL.decode(text),
      let bytes = cipher.open(sealed, for: Self.context)
    else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard fields.count == 2, let session = SessionID(fields[0]), let end = Int64(fields[1]),
      time.millisecondsSince1970 < end
    else { return nil }
    (self.session, expiresAt) = (session, Timestamp(millisecondsSince1970: end))
  }
}
