public import Foundation

/// A destination to which the server posts events. Its mappings select the events.
public struct Connection: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Connection>

  public var id: ID
  /// The username of the owner.
  public var owner: String
  public var name: String
  public var kind: Kind
  /// The address that receives events.
  public var url: String
  public var scope: ConnectionScope
  public var state: State
  /// The reason for the state and what happens next, for users.
  public var stateDescription: String
  public var mappingsState: MappingsState
  /// The number of waiting events, counted up to 1000.
  public var lag: Int
  /// The number of delivered events.
  public var delivered: Int
  /// The number of events that the server gave up.
  public var failed: Int
  /// The time of the last delivery; `nil` if there was none.
  public var lastDelivery: Date?
  /// Why the last attempt failed, for users; `nil` if it did not.
  public var lastError: String?
  public var createdAt: Date
  /// The mappings, at most 20.
  public var mappings: [Mapping]
}

extension Connection {
  /// The way in which a connection delivers events.
  public struct Kind: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server posts each event to a URL (https://www.standardwebhooks.com).
    public static let webhook: Self = "webhook"
  }

  /// The state of the deliveries.
  public struct State: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The connection has no mappings.
    public static let idle: Self = "idle"
    public static let running: Self = "running"
    /// The owner paused the connection. Events are recorded, and wait.
    public static let paused: Self = "paused"
    /// Deliveries fail, and the server tries them again.
    public static let failing: Self = "failing"
    /// The server records no events and delivers none until the owner restarts the connection.
    public static let stopped: Self = "stopped"
  }

  /// The state of all mappings of a connection.
  public struct MappingsState: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let noMappings: Self = "none"
    public static let active: Self = "active"
    /// At least one of the mappings is reloading.
    public static let reloading: Self = "reloading"
  }
}

/// The part of the server whose events a connection gets.
public struct ConnectionScope: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Events of the owner's memes and followers.
  public static let own: Self = "own"
  /// Events of all public memes, of comments, likes and follows that everyone can see, of reports and of new accounts.
  /// For admins.
  public static let all: Self = "all"
}

/// A connection, with its secret.
public struct NewConnection: Sendable, Hashable, Decodable {
  public var connection: Connection
  /// The key of the signatures: `whsec_` and 24 to 64 bytes in Base64. The server does not show it again.
  public var secret: Token

  private enum CodingKeys: CodingKey { case secret }

  public init(from decoder: any Decoder) throws {
    connection = try Connection(from: decoder)
    secret = try decoder.container(keyedBy: CodingKeys.self).decode(Token.self, forKey: .secret)
  }
}
