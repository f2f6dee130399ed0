/// How a connection writes an event.
public struct MessageFormat: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A JSON document, for programs.
  public static let json: Self = "json"
  /// A message for an incoming webhook of Slack.
  public static let slack: Self = "slack"
  /// A message for a webhook of Discord.
  public static let discord: Self = "discord"
}
