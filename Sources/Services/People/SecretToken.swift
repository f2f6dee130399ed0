import Crypto

/// The tokens of sessions and password resets.
enum SecretToken {
  /// A token of 256 random bits, as text for URLs and header fields. It cannot be guessed.
  static func make() -> String { Base64URL.encode(Random.bytes(32)) }
}
