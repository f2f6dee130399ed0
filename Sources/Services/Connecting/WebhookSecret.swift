import Crypto
package import Memes

/// The key with which a connection's deliveries are signed (Standard Webhooks 1.0.0, "Signature scheme").
package struct WebhookSecret: Sendable {
  private static let prefix = "whsec_"
  /// The permitted number of bytes.
  private static let sizes = 24...64

  private let key: [UInt8]

  /// Parses `whsec_` and Base64.
  package init(_ text: String) throws(InvalidValue) {
    guard text.hasPrefix(Self.prefix), text.utf8.count <= 100,
      let key = Base64.decode(String(text.dropFirst(Self.prefix.count))),
      Self.sizes.contains(key.count)
    else {
      throw InvalidValue(
        code: "not-a-secret",
        message: "Must be whsec_ and 24 to 64 bytes in Base64, or absent.")
    }
    self.key = key
  }

  /// A new secret.
  static func random() -> WebhookSecret { WebhookSecret(key: Random.bytes(32)) }

  init(key: [UInt8]) { self.key = key }

  /// As the owner gets it.
  var text: String { Self.prefix + Base64.encode(key) }

  /// The key, encrypted for a connection.
  func sealed(with cipher: SecretCipher, for connection: ConnectionID) -> [UInt8] {
    cipher.seal(key, for: Array(connection.description.utf8))
  }

  /// - Returns: `nil` if the secret was encrypted under another key, or for another connection.
  init?(sealed: [UInt8], with cipher: SecretCipher, for connection: ConnectionID) {
    guard let key = cipher.open(sealed, for: Array(connection.description.utf8)) else {
      return nil
    }
    self.key = key
  }

  /// The signature of an attempt.
  ///
  /// - Parameters:
  ///   - id: the ID of the message.
  ///   - time: of the attempt, in seconds since 1970.
  ///   - body: as it is sent.
  package func signature(id: String, time: Int64, body: [UInt8]) -> String {
    "v1," + Base64.encode(HMACSHA256.code(for: Array("\(id).\(time).".utf8) + body, key: key))
  }
}
