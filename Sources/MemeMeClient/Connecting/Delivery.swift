public import Foundation

/// An attempt to deliver an event.
public struct Delivery: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Delivery>

  public var id: ID
  /// The ID of the event, which the receiver gets as `webhook-id`. It is the same in all attempts.
  public var eventId: String
  public var type: EventType
  public var mapping: Mapping.ID
  /// `nil` for events without a meme.
  public var meme: Meme.ID?
  public var outcome: Outcome
  /// The status of the response; `nil` if there was none.
  public var status: Int?
  /// Why the attempt failed, for users; `nil` if it did not.
  public var error: String?
  /// The beginning of the head of the response; `nil` if there was none.
  public var responseHead: String?
  /// The duration in milliseconds.
  public var durationMs: Int
  public var attemptedAt: Date

  /// The result of an attempt.
  public struct Outcome: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let delivered: Self = "delivered"
    /// The server tries again.
    public static let failed: Self = "failed"
    /// The server does not try again, except after ``MemeMeClient/MemeMeClient/retryDelivery(_:)``.
    public static let givenUp: Self = "givenUp"
  }
}
