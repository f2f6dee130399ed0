/// A secret that opens something: a session's, a meme's `deleteToken`, or the admin's.
///
/// It describes itself without showing itself, so that it does not get into logs by accident.
public struct Token: Hashable, Sendable, Codable {
  /// The secret, to be kept where secrets are kept, such as a keychain.
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
