import Memes
import Testing

struct TokenBucketTests {
  private static let start = ContinuousClock.now

  /// Returns the times at which a bucket admits random calls: in bursts, steadily, or after a pause.
  private static func granted(_ rate: Rate, seed: UInt64) -> [Duration] {
    var random = SplitMix(state: seed)
    var bucket = TokenBucket(at: start)
    var time = Duration.zero
    var granted: [Duration] = []
    for _ in 0..<300 {
      let share = Int64.random(in: 0...100, using: &random)
      switch UInt8.random(in: 0..<10, using: &random) {
      case 0: time += rate.window * share / 40
      case 1..<5: time += rate.interval * share / 50
      default: break
      }
      if bucket.take(rate, at: start + time) == nil { granted.append(time) }
    }
    return granted
  }

  @Test func `a call needs one token and takes at most the whole bucket`() {
    let rate = Rate(burst: 10, interval: .seconds(1))
    var bucket = TokenBucket(at: Self.start)
    #expect(bucket.take(rate, 8.5, at: Self.start) == nil)
    #expect(bucket.remaining(rate, at: Self.start) == 1)
    // One token is enough for a call that costs more.
    #expect(bucket.take(rate, 1000, at: Self.start) == nil)
    #expect(bucket.take(rate, 0.1, at: Self.start) == .seconds(9.5))
    #expect(bucket.take(rate, 0.1, at: Self.start + .seconds(9.5)) == nil)
    #expect(bucket.remaining(rate, at: Self.start + .seconds(9.5)) == 0)
    bucket = TokenBucket(at: Self.start)
    bucket.owe(rate, 4, at: Self.start)
    bucket.owe(rate, -1, at: Self.start)
    #expect(bucket.remaining(rate, at: Self.start) == 6)
  }

  @Test(
    arguments: [
      Rate(burst: 1, interval: .seconds(3)), Rate(burst: 2, interval: .nanoseconds(7)),
      Rate(burst: 10, interval: .seconds(360)), Rate(burst: 60, interval: .milliseconds(25)),
      Rate(burst: 30, interval: .seconds(1) / 3),
    ], 1...4 as ClosedRange<UInt64>)
  func `no period admits more than the burst plus its refill`(
    _ rate: Rate, seed: UInt64
  ) {
    let granted = Self.granted(rate, seed: seed)
    #expect(granted.count >= min(rate.burst, 100))
    // Only periods that begin and end with a call need to be checked.
    for (first, begin) in granted.enumerated() {
      for last in first..<granted.count {
        let back = (granted[last] - begin).attoseconds / rate.interval.attoseconds
        guard last - first + 1 > rate.burst + Int(back) else { continue }
        Issue.record("\(last - first + 1) calls in \(granted[last] - begin)")
        return
      }
    }
  }

  @Test(arguments: Limit.allCases)
  func `a caller that waits the reported time is admitted, and not sooner`(_ limit: Limit) throws {
    let rate = limit.rate
    var bucket = TokenBucket(at: Self.start)
    for _ in 0..<rate.burst { #expect(bucket.take(rate, at: Self.start) == nil) }
    let emptied = bucket
    let refused = bucket.take(rate, at: Self.start)
    let wait = try #require(refused)
    #expect(wait == rate.interval)
    #expect(bucket == emptied, "a refusal costs nothing")
    #expect(bucket.take(rate, at: Self.start + wait - .nanoseconds(1)) == .nanoseconds(1))
    #expect(bucket.take(rate, at: Self.start + wait) == nil)
    #expect(bucket.take(rate, at: Self.start + wait) == rate.interval)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `as many calls are admitted as remain`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let rate = Rate(
      burst: .random(in: 1...50, using: &random),
      interval: .nanoseconds(Int64.random(in: 1...5_000_000_000, using: &random)))
    var bucket = TokenBucket(at: Self.start)
    var now = Self.start
    for _ in 0..<200 {
      now += rate.interval * Int64.random(in: 0...300, using: &random) / 100
      let remaining = bucket.remaining(rate, at: now)
      #expect((0...rate.burst).contains(remaining))
      var copy = bucket
      for _ in 0..<remaining { #expect(copy.take(rate, at: now) == nil) }
      #expect(copy.take(rate, at: now) != nil)
      #expect(bucket.remaining(rate, at: now + bucket.untilFull(at: now)) == rate.burst)
      _ = bucket.take(rate, at: now)
    }
  }

  @Test func `clock readings out of order give no extra tokens`() {
    let rate = Rate(burst: 2, interval: .seconds(1))
    var bucket = TokenBucket(at: Self.start)
    #expect(bucket.take(rate, at: Self.start + .seconds(5)) == nil)
    #expect(bucket.take(rate, at: Self.start + .seconds(4)) != nil)
    #expect(bucket.take(rate, at: Self.start + .seconds(5)) == nil)
    #expect(bucket.take(rate, at: Self.start + .seconds(5)) == .seconds(1))
  }
}

/// Deterministic random numbers.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
