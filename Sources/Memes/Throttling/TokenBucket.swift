/// A bucket of tokens, one of which is taken for each call; they come back one by one.
///
/// It is kept as the moment at which it is full again, which each token puts off by one interval: the generic cell rate
/// algorithm (ITU-T I.371, virtual scheduling). So nothing has to run for tokens to come back, and in no stretch of time are
/// more than ``Rate/burst`` and one for each interval of it taken.
package struct TokenBucket: Sendable, Equatable {
  /// Of a clock that never goes back.
  package typealias Instant = ContinuousClock.Instant

  /// In the past, where it is full.
  package private(set) var fullAt: Instant

  /// A full one.
  package init(at now: Instant) { fullAt = now }

  /// Takes as many tokens as a call costs. One is enough to begin, and the bucket owes the others: no more than it has when it is
  /// full, so that whatever may be done at all can be done again.
  ///
  /// - Returns: `nil` if there was a token; else the time until there is, and nothing was taken.
  package mutating func take(_ rate: Rate, _ tokens: Double = 1, at now: Instant) -> Duration? {
    if let wait = wait(rate, at: now) { return wait }
    owe(rate, tokens, at: now)
    return nil
  }

  /// The time until there is a token; `nil` if there is one.
  package func wait(_ rate: Rate, at now: Instant) -> Duration? {
    let wait = now.duration(to: max(fullAt, now) + rate.interval) - rate.window
    return wait > .zero ? wait : nil
  }

  /// Takes the tokens of a call that has been let through.
  package mutating func owe(_ rate: Rate, _ tokens: Double, at now: Instant) {
    let cost = tokens == 1 ? rate.interval : rate.interval * max(0, tokens)
    fullAt = max(fullAt, now) + min(cost, rate.window)
  }

  /// Puts tokens back that were taken a moment ago.
  package mutating func giveBack(_ rate: Rate, _ tokens: Double = 1) {
    fullAt -= tokens == 1 ? rate.interval : rate.interval * tokens
  }

  /// How many tokens are there.
  package func remaining(_ rate: Rate, at now: Instant) -> Int {
    Int(max((rate.window - untilFull(at: now)).attoseconds / rate.interval.attoseconds, 0))
  }

  /// The time until all tokens are there.
  package func untilFull(at now: Instant) -> Duration { max(now.duration(to: fullAt), .zero) }
}
