/// The buckets of one limit: those of callers, and where the limit counts sites, those of the sites that they call from.
struct LimitBuckets: Sendable {
  private let rate: Rate
  private var callers: BucketTable<Caller>
  private var sites: BucketTable<Caller>?
  private let siteRate: Rate

  /// - Parameter capacity: how many buckets are kept of either kind.
  init(_ limit: Limit, capacity: Int) {
    (rate, siteRate) = (limit.rate, limit.siteRate ?? limit.rate)
    callers = BucketTable(limit.rate, capacity: capacity)
    sites = limit.siteRate.map { BucketTable($0, capacity: capacity) }
  }

  /// Takes a token from the caller's bucket and one from its site's, or none.
  mutating func take(_ caller: Caller, at now: TokenBucket.Instant) -> Taken {
    let site = caller.site
    let ofSite = site.flatMap { sites?.take($0, at: now) }
    if let ofSite, let wait = ofSite.wait {
      return Taken(wait: wait, remaining: 0, untilFull: ofSite.bucket.untilFull(at: now))
    }
    let taken = callers.take(caller, at: now)
    if taken.wait != nil, let site { sites?.giveBack(site) }
    let (own, others) = (taken.bucket.remaining(rate, at: now), ofSite?.bucket)
    return Taken(
      wait: taken.wait, remaining: min(own, others?.remaining(siteRate, at: now) ?? own),
      untilFull: taken.bucket.untilFull(at: now))
  }

  /// Puts back what was taken a moment ago.
  mutating func giveBack(_ caller: Caller) {
    callers.giveBack(caller)
    if let site = caller.site { sites?.giveBack(site) }
  }

  /// Makes the buckets full again.
  mutating func forget(_ caller: Caller) {
    callers.forget(caller)
    if let site = caller.site { sites?.forget(site) }
  }

  struct Taken {
    /// `nil` where there was a token.
    let wait: Duration?
    let remaining: Int
    let untilFull: Duration
  }
}
