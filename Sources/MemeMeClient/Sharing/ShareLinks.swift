/// The links and texts for sharing a meme.
public struct ShareLinks: Sendable, Hashable, Codable {
  /// The absolute URL of the meme's public page.
  public var url: String
  /// A title for the meme, on one line.
  public var title: String
  /// The alternative text of the meme.
  public var text: String
  /// Links that open the composers of other apps, by channel. See ``link(for:)``.
  public var targets: [String: String]

  /// Returns the link that opens the composer of an app.
  public func link(for channel: ShareChannel) -> String? { targets[channel.rawValue] }
}

/// A way to share a meme.
public struct ShareChannel: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let facebook: Self = "facebook"
  public static let x: Self = "x"
  public static let whatsapp: Self = "whatsapp"
  public static let sms: Self = "sms"
  public static let email: Self = "email"
  /// The link was copied.
  public static let link: Self = "link"
  public static let other: Self = "other"
}
