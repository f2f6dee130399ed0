import CSodium

/// Authenticated encryption with XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): a reader of the database who lacks the
/// key learns nothing, and cannot replace one secret by another. Safe to use from any thread.
package struct SecretCipher: Sendable {
  private static let nonceBytes = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagBytes = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  private let key: Secret

  /// - Parameter key: has 32 bytes.
  fileprivate init(key: Secret) { self.key = key }

  /// Encrypts a secret with a random nonce of 24 bytes, which is long enough never to repeat.
  ///
  /// - Parameter context: what the secret belongs to. ``open(_:for:)`` needs the same.
  /// - Returns: the nonce, and the encrypted secret with its tag: 40 bytes more than the secret.
  package func seal(_ secret: [UInt8], for context: [UInt8]) -> [UInt8] {
    let nonce = Random.bytes(Self.nonceBytes)
    var sealed = [UInt8](repeating: 0, count: secret.count + Self.tagBytes)
    withKey { key in
      guard let key else { return }
      _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
        &sealed, nil, secret, UInt64(secret.count), context, UInt64(context.count), nil, nonce, key)
    }
    return nonce + sealed
  }

  /// - Returns: the secret; `nil` if it was encrypted under another key or for another context, or was changed.
  package func open(_ sealed: [UInt8], for context: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.nonceBytes + Self.tagBytes else { return nil }
    let (nonce, rest) = (
      Array(sealed.prefix(Self.nonceBytes)), Array(sealed.dropFirst(Self.nonceBytes))
    )
    var secret = [UInt8](repeating: 0, count: rest.count - Self.tagBytes)
    let result = withKey { key in
      guard let key else { return Int32(-1) }
      return crypto_aead_xchacha20poly1305_ietf_decrypt(
        &secret, nil, nil, rest, UInt64(rest.count), context, UInt64(context.count), nonce, key)
    }
    return result == 0 ? secret : nil
  }

  private func withKey<Result>(_ body: (UnsafePointer<UInt8>?) -> Result) -> Result {
    key.withUnsafeBytes { body($0.assumingMemoryBound(to: UInt8.self).baseAddress) }
  }
}

extension Authenticator {
  /// Encrypts with a key that is derived from this one.
  ///
  /// - Parameter purpose: each purpose has a separate key.
  package func cipher(for purpose: String) -> SecretCipher {
    SecretCipher(key: Secret(code(for: Array("encrypt \(purpose)".utf8))))
  }
}
