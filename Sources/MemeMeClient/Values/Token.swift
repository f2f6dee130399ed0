/// A secret that grants access: a session token, a meme's `deleteToken`, or the admin token.
///
/// Its description does not contain the secret, so that it does not appear in logs by accident.
public struct Token: Hashable, Sendable, Codable {
  /// The secret. Store it in a safe place, such as the keychain.
  public let secret: String

  public init(_ secret: String) { self.secret = secret }

  public init(from decoder: any Decoder) throws {
    secret = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(secret)
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Token" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
