/// What people need to tell others of a meme.
public struct ShareLinks: Sendable, Hashable, Codable {
  /// The address of the meme's public page, absolute.
  public var url: String
  /// The meme in one line.
  public var title: String
  /// The meme's alternative text.
  public var text: String
  /// Links that open the composers of apps, by channel: ``link(for:)``.
  public var targets: [String: String]

  /// The link that opens this app's composer.
  public func link(for channel: ShareChannel) -> String? { targets[channel.rawValue] }
}

/// In which way a meme is shared.
public struct ShareChannel: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let facebook: Self = "facebook"
  public static let x: Self = "x"
  public static let whatsapp: Self = "whatsapp"
  public static let sms: Self = "sms"
  public static let email: Self = "email"
  /// The address was copied.
  public static let link: Self = "link"
  public static let other: Self = "other"
}
