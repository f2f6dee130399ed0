/// The buckets of one limit: those of callers, and where the limit counts sites, those of the sites that they call from.
struct LimitBuckets: Sendable {
  private let rate: Rate
  private var callers: BucketTable<Caller>
  private var sites: BucketTable<Caller>?
  private let siteRate: Rate

  /// - Parameter capacity: how many buckets are kept of either kind.
  init(_ limit: Limit, capacity: Int) {
    self.init(limit.rate, ofSite: limit.siteRate, capacity: capacity)
  }

  /// - Parameters:
  ///   - siteRate: `nil`: sites are not counted.
  ///   - capacity: how many buckets are kept of either kind.
  init(_ rate: Rate, ofSite siteRate: Rate?, capacity: Int) {
    (self.rate, self.siteRate) = (rate, siteRate ?? rate)
    callers = BucketTable(rate, capacity: capacity)
    sites = siteRate.map { BucketTable($0, capacity: capacity) }
  }

  /// Takes tokens from the caller's bucket and its site's, or none.
  mutating func take(_ caller: Caller, _ tokens: Double, at now: TokenBucket.Instant) -> Taken {
    let before = look(caller, at: now)
    guard before.wait == nil else { return before }
    owe(caller, tokens, at: now)
    var after = look(caller, at: now)
    after.wait = nil
    return after
  }

  /// Takes tokens from both, whether they are there or not.
  mutating func owe(_ caller: Caller, _ tokens: Double, at now: TokenBucket.Instant) {
    callers.owe(caller, tokens, at: now)
    if let site = caller.site { sites?.owe(site, tokens, at: now) }
  }

  /// The state of both, of which nothing is taken.
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

  /// Puts back what was taken a moment ago.
  mutating func giveBack(_ caller: Caller, _ tokens: Double = 1) {
    callers.giveBack(caller, tokens)
    if let site = caller.site { sites?.giveBack(site, tokens) }
  }

  /// Makes the buckets full again.
  mutating func forget(_ caller: Caller) {
    callers.forget(caller)
    if let site = caller.site { sites?.forget(site) }
  }

  struct Taken {
    /// `nil` if there is a token, or was one.
    var wait: Duration?
    let remaining: Int
    let untilFull: Duration
  }
}
