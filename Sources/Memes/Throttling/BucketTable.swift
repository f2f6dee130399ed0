/// The buckets of those who have taken tokens, at most so many of them: a bucket that is not here is full.
///
/// Where there is no room, those that are full again go first, and then those that are nearest to it. So whoever comes from
/// many addresses pushes out the buckets that he took one token of, and not the empty one that holds him back: for that he
/// would have to empty as many others, each of which gives him more than he regains.
package struct BucketTable<Key: Hashable & Sendable>: Sendable {
  private let rate: Rate
  private let capacity: Int
  private var buckets: [Key: TokenBucket] = [:]

  /// - Parameter capacity: how many buckets are kept, at least 4.
  package init(_ rate: Rate, capacity: Int) { (self.rate, self.capacity) = (rate, capacity) }

  /// How many buckets are kept.
  package var count: Int { buckets.count }

  /// Takes tokens from the key's bucket.
  ///
  /// - Returns: how long to wait where there is none, and the bucket as it is now.
  package mutating func take(
    _ key: Key, _ tokens: Double = 1, at now: TokenBucket.Instant
  ) -> (wait: Duration?, bucket: TokenBucket) {
    var bucket = bucket(of: key, at: now)
    let wait = bucket.take(rate, tokens, at: now)
    buckets[key] = bucket
    return (wait, bucket)
  }

  /// Takes tokens, whether they are there or not.
  package mutating func owe(_ key: Key, _ tokens: Double, at now: TokenBucket.Instant) {
    var bucket = bucket(of: key, at: now)
    bucket.owe(rate, tokens, at: now)
    buckets[key] = bucket
  }

  /// The bucket as it is; a full one for a key that has taken nothing.
  package subscript(_ key: Key, at now: TokenBucket.Instant) -> TokenBucket {
    buckets[key] ?? TokenBucket(at: now)
  }

  private mutating func bucket(of key: Key, at now: TokenBucket.Instant) -> TokenBucket {
    if let bucket = buckets[key] { return bucket }
    if buckets.count >= capacity { makeRoom(at: now) }
    return TokenBucket(at: now)
  }

  /// Puts tokens back that were taken a moment ago.
  package mutating func giveBack(_ key: Key, _ tokens: Double = 1) {
    buckets[key]?.giveBack(rate, tokens)
  }

  /// Makes a bucket full again.
  package mutating func forget(_ key: Key) { buckets[key] = nil }

  /// A quarter at a time, so that not everyone who comes makes the table be gone through.
  private mutating func makeRoom(at now: TokenBucket.Instant) {
    buckets = buckets.filter { $0.value.fullAt > now }
    let kept = capacity * 3 / 4
    guard buckets.count > kept else { return }
    let owing = buckets.sorted { $0.value.fullAt > $1.value.fullAt }
    buckets = Dictionary(uniqueKeysWithValues: owing.prefix(kept).map { ($0.key, $0.value) })
  }
}
