public import Foundation

/// A part of a connection: which events it gets, of which memes, and in which form.
public struct Mapping: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Mapping>

  public var id: ID
  public var connection: Connection.ID
  public var events: [EventType]
  public var filter: Filter
  public var format: MessageFormat
  /// The parts of a meme to send; `nil` is all.
  public var fields: [MemeField]?
  public var state: State
  /// The reason for the state and what happens next, for users.
  public var stateDescription: String
  public var createdAt: Date
}

extension Mapping {
  /// Selects memes. It also applies to the events of their comments and likes.
  public struct Filter: Sendable, Hashable, Codable {
    /// The username of the author; `nil` is any. Only for the scope ``ConnectionScope/all``.
    public var author: String?
    /// `nil` is any. Only for the scope ``ConnectionScope/own``.
    public var visibility: Meme.Visibility?
    /// `nil` is any, also none.
    public var tag: String?

    public init(
      author: String? = nil, visibility: Meme.Visibility? = nil, tag: String? = nil
    ) {
      self.author = author
      self.visibility = visibility
      self.tag = tag
    }
  }

  /// The content of a mapping that its owner chooses.
  public struct Terms: Sendable, Hashable, Codable {
    /// The events, at least one.
    public var events: [EventType]
    /// `nil` is all memes of the connection's scope.
    public var filter: Filter?
    /// How an event is written; `nil` is ``MessageFormat/json``.
    public var format: MessageFormat?
    /// The parts of a meme to send in addition to its ID, version and times; `nil` is all. Only for the format
    /// ``MessageFormat/json``.
    public var fields: [MemeField]?

    public init(
      _ events: [EventType], filter: Filter? = nil, format: MessageFormat? = nil,
      fields: [MemeField]? = nil
    ) {
      self.events = events
      self.filter = filter
      self.format = format
      self.fields = fields
    }
  }

  /// The present terms. To change some of them, edit a copy and pass it to
  /// ``MemeMeClient/MemeMeClient/replaceMapping(_:with:)``.
  public var terms: Terms { Terms(events, filter: filter, format: format, fields: fields) }

  /// The state of a mapping.
  public struct State: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let active: Self = "active"
    /// The server records an event for each matching meme.
    public static let reloading: Self = "reloading"
  }
}
