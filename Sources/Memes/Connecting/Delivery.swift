package import Foundation

/// The ID of a delivery.
package struct DeliveryID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// An attempt to deliver an event, in the log of its connection.
package struct Delivery: Sendable, Equatable {
  /// How many deliveries the log of a connection has.
  package static let keptCount = 500

  package enum Outcome: Int, Sendable {
    case delivered
    /// It is tried again.
    case failed
    /// It is not tried again.
    case givenUp
  }

  package let id: DeliveryID
  package let event: EventID
  package let kind: EventKind
  package let mapping: MappingID
  /// `nil` for an event without a meme.
  package let meme: MemeID?
  package let outcome: Outcome
  package let attempt: Attempt

  package init(
    id: DeliveryID, event: EventID, kind: EventKind, mapping: MappingID, meme: MemeID?,
    outcome: Outcome, attempt: Attempt
  ) {
    (self.id, self.event, self.kind, self.mapping) = (id, event, kind, mapping)
    (self.meme, self.outcome, self.attempt) = (meme, outcome, attempt)
  }

  /// A request and its response.
  package struct Attempt: Sendable, Equatable {
    /// `nil` without a response.
    package let status: Int?
    /// The head of the response; `nil` without one.
    package let head: String?
    /// Why it failed; `nil` if the receiver took the event.
    package let error: String?
    package let milliseconds: Int
    package let at: Timestamp

    package init(
      status: Int?, head: String?, error: String?, milliseconds: Int, at time: Timestamp
    ) {
      (self.status, self.head, self.error) = (status, head, error)
      (self.milliseconds, at) = (milliseconds, time)
    }
  }
}

/// When failed deliveries are tried again (Standard Webhooks 1.0.0, "Retries").
package enum RetrySchedule {
  /// The pauses after failed attempts of a connection, in milliseconds. The last one repeats.
  static let pauses: [Int64] = [
    5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000,
    86_400_000,
  ]
  /// The pauses after refusals of one event, in milliseconds.
  static let refusalPauses: [Int64] = [5_000, 60_000, 300_000, 1_800_000]
  /// Longer than every pause. An attempt that is due later than this was planned before the clock was set back.
  package static let longestMilliseconds: Int64 = 2 * 86_400_000
  /// After this many failed attempts in a row, the owner gets a notice.
  package static let noticedFailures = pauses.count + 1
  /// An event is given up at this age.
  package static let keptMilliseconds: Int64 = 7 * 86_400_000

  /// The pause after this many failed attempts in a row, in milliseconds.
  ///
  /// - Parameters:
  ///   - wish: the pause that the receiver asks for.
  ///   - jitter: from 0 to 1. It spreads the attempts of connections that failed at the same time over a fifth of the
  ///     pause.
  package static func pause(
    afterFailures count: Int, atLeast wish: Int64? = nil, jitter: Double
  ) -> Int64 {
    let pause = pauses[min(max(count, 1), pauses.count) - 1]
    return max(
      pause + Int64(Double(pause) * 0.2 * min(max(jitter, 0), 1)),
      min(wish ?? 0, pauses[pauses.count - 1]))
  }

  /// The pause after this many refusals of one event, in milliseconds; `nil` if it is given up.
  package static func pause(afterRefusals count: Int) -> Int64? {
    refusalPauses.indices.contains(count - 1) ? refusalPauses[count - 1] : nil
  }
}
