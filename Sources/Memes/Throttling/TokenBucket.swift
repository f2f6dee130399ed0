/// A token bucket: each call takes a token, and tokens are refilled at a constant rate.
///
/// The only state is the time at which the bucket is full again; each token delays it by one interval. This is the
/// generic cell rate algorithm (ITU-T I.371, virtual scheduling). It needs no timer. In any period, at most
/// ``Rate/burst`` tokens plus one per interval are taken.
package struct TokenBucket: Sendable, Equatable {
  /// A time of a monotonic clock.
  package typealias Instant = ContinuousClock.Instant

  /// In the past if the bucket is full.
  package private(set) var fullAt: Instant

  /// Creates a full bucket.
  package init(at now: Instant) { fullAt = now }

  /// Takes the tokens of a call. One available token is enough; the rest becomes a debt. The cost is limited to the
  /// capacity, so that no call is impossible forever.
  ///
  /// - Returns: `nil` if there was a token. Otherwise returns the time until there is one, and takes nothing.
  package mutating func take(_ rate: Rate, _ tokens: Double = 1, at now: Instant) -> Duration? {
    if let wait = wait(rate, at: now) { return wait }
    owe(rate, tokens, at: now)
    return nil
  }

  /// The time until a token is available; `nil` if there is one.
  package func wait(_ rate: Rate, at now: Instant) -> Duration? {
    let wait = now.duration(to: max(fullAt, now) + rate.interval) - rate.window
    return wait > .zero ? wait : nil
  }

  /// Takes the tokens of a call without a check.
  package mutating func owe(_ rate: Rate, _ tokens: Double, at now: Instant) {
    let cost = tokens == 1 ? rate.interval : rate.interval * max(0, tokens)
    fullAt = max(fullAt, now) + min(cost, rate.window)
  }

  /// Returns tokens that were taken shortly before.
  package mutating func giveBack(_ rate: Rate, _ tokens: Double = 1) {
    fullAt -= tokens == 1 ? rate.interval : rate.interval * tokens
  }

  /// Takes tokens until the bucket is not full before this time.
  mutating func delay(until fullAt: Instant) { self.fullAt = max(self.fullAt, fullAt) }

  /// The number of available tokens.
  package func remaining(_ rate: Rate, at now: Instant) -> Int {
    Int(max((rate.window - untilFull(at: now)).attoseconds / rate.interval.attoseconds, 0))
  }

  /// The time until the bucket is full.
  package func untilFull(at now: Instant) -> Duration { max(now.duration(to: fullAt), .zero) }
}
