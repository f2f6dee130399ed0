/// The buckets of one limit: one per caller and, if the limit counts sites, one per site.
struct LimitBuckets: Sendable {
  private let rate: Rate
  private var callers: BucketTable<Caller>
  private var sites: BucketTable<Caller>?
  private let siteRate: Rate

  /// - Parameter capacity: the maximum number of buckets of each kind.
  init(_ limit: Limit, capacity: Int) {
    self.init(limit.rate, ofSite: limit.siteRate, capacity: capacity)
  }

  /// - Parameters:
  ///   - siteRate: `nil` if sites are not limited.
  ///   - capacity: the maximum number of buckets of each kind.
  init(_ rate: Rate, ofSite siteRate: Rate?, capacity: Int) {
    (self.rate, self.siteRate) = (rate, siteRate ?? rate)
    callers = BucketTable(rate, capacity: capacity)
    sites = siteRate.map { BucketTable($0, capacity: capacity) }
  }

  /// Takes tokens from the buckets of the caller and of its site, or from neither.
  mutating func take(_ caller: Caller, _ tokens: Double, at now: TokenBucket.Instant) -> Taken {
    let before = look(caller, at: now)
    guard before.wait == nil else { return before }
    owe(caller, tokens, at: now)
    var after = look(caller, at: now)
    after.wait = nil
    return after
  }

  /// Takes tokens from both, even if they have too few.
  mutating func owe(_ caller: Caller, _ tokens: Double, at now: TokenBucket.Instant) {
    callers.owe(caller, tokens, at: now)
    if let site = caller.site { sites?.owe(site, tokens, at: now) }
  }

  /// Empties the buckets as far as those that other servers share: that of the caller first, then that of its site.
  mutating func adopt(
    _ untilFull: [Duration], _ caller: Caller, at now: TokenBucket.Instant
  ) -> Taken {
    if let own = untilFull.first { callers.delay(caller, until: now + own, at: now) }
    if let site = caller.site, let ofSite = untilFull.dropFirst().first {
      sites?.delay(site, until: now + ofSite, at: now)
    }
    return look(caller, at: now)
  }

  /// The state of both buckets, without taking tokens.
  func look(_ caller: Caller, at now: TokenBucket.Instant) -> Taken {
    let own = callers[caller, at: now]
    let ofSite = caller.site.flatMap { sites?[$0, at: now] }
    let waits = [own.wait(rate, at: now), ofSite?.wait(siteRate, at: now)]
    return Taken(
      wait: waits.compactMap { $0 }.max(),
      remaining: min(
        own.remaining(rate, at: now), ofSite?.remaining(siteRate, at: now) ?? .max),
      untilFull: own.untilFull(at: now))
  }

  /// Returns tokens that were taken shortly before.
  mutating func giveBack(_ caller: Caller, _ tokens: Double = 1) {
    callers.giveBack(caller, tokens)
    if let site = caller.site { sites?.giveBack(site, tokens) }
  }

  /// Refills the buckets.
  mutating func forget(_ caller: Caller) {
    callers.forget(caller)
    if let site = caller.site { sites?.forget(site) }
  }

  struct Taken {
    /// `nil` if a token is or was available.
    var wait: Duration?
    let remaining: Int
    let untilFull: Duration
  }
}
