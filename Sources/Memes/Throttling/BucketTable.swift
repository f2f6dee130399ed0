/// A table of token buckets with a maximum size. A key without an entry has a full bucket.
///
/// When the table is at capacity, it first removes buckets that are full again, then those closest to full. A client
/// with many addresses thus pushes out buckets from which it took a single token, but not the empty one that limits
/// it. To push that one out, it would have to empty as many other buckets. Each of these grants more tokens than the
/// client would regain.
package struct BucketTable<Key: Hashable & Sendable>: Sendable {
  private let rate: Rate
  private let capacity: Int
  private var buckets: [Key: TokenBucket] = [:]

  /// - Parameter capacity: the maximum number of stored buckets, at least 4.
  package init(_ rate: Rate, capacity: Int) { (self.rate, self.capacity) = (rate, capacity) }

  /// The number of stored buckets.
  package var count: Int { buckets.count }

  /// Takes tokens from the bucket of a key.
  ///
  /// - Returns: the time to wait if there is no token, and the current bucket.
  package mutating func take(
    _ key: Key, _ tokens: Double = 1, at now: TokenBucket.Instant
  ) -> (wait: Duration?, bucket: TokenBucket) {
    var bucket = bucket(of: key, at: now)
    let wait = bucket.take(rate, tokens, at: now)
    buckets[key] = bucket
    return (wait, bucket)
  }

  /// Takes tokens even if the bucket has too few.
  package mutating func owe(_ key: Key, _ tokens: Double, at now: TokenBucket.Instant) {
    var bucket = bucket(of: key, at: now)
    bucket.owe(rate, tokens, at: now)
    buckets[key] = bucket
  }

  /// Empties a bucket so far that it is not full before this time.
  mutating func delay(_ key: Key, until fullAt: TokenBucket.Instant, at now: TokenBucket.Instant) {
    var bucket = bucket(of: key, at: now)
    bucket.delay(until: fullAt)
    buckets[key] = bucket
  }

  /// The current bucket; a full one for a key without an entry.
  package subscript(_ key: Key, at now: TokenBucket.Instant) -> TokenBucket {
    buckets[key] ?? TokenBucket(at: now)
  }

  private mutating func bucket(of key: Key, at now: TokenBucket.Instant) -> TokenBucket {
    if let bucket = buckets[key] { return bucket }
    if buckets.count >= capacity { makeRoom(at: now) }
    return TokenBucket(at: now)
  }

  /// Returns tokens that were taken shortly before.
  package mutating func giveBack(_ key: Key, _ tokens: Double = 1) {
    buckets[key]?.giveBack(rate, tokens)
  }

  /// Refills a bucket.
  package mutating func forget(_ key: Key) { buckets[key] = nil }

  /// Removes a quarter of the buckets at once, so that not every new key causes a scan of the table.
  private mutating func makeRoom(at now: TokenBucket.Instant) {
    buckets = buckets.filter { $0.value.fullAt > now }
    let kept = capacity * 3 / 4
    guard buckets.count > kept else { return }
    let owing = buckets.sorted { $0.value.fullAt > $1.value.fullAt }
    buckets = Dictionary(uniqueKeysWithValues: owing.prefix(kept).map { ($0.key, $0.value) })
  }
}
