import Memes
import Testing

struct BucketTableTests {
  private let start = ContinuousClock.now
  private let rate = Rate(burst: 10, interval: .seconds(60))

  @Test func `many callers neither grow the table nor evict a throttled caller`() {
    var table = BucketTable<Int>(rate, capacity: 64)
    for _ in 0..<rate.burst { #expect(table.take(-1, at: start).wait == nil) }
    #expect(table.take(-1, at: start).wait != nil)
    for stranger in 0..<10_000 {
      #expect(table.take(stranger, at: start).wait == nil)
      #expect(table.count <= 64)
    }
    #expect(table.take(-1, at: start).wait == rate.interval)
  }

  @Test func `callers with more tokens left are evicted first`() {
    var table = BucketTable<Int>(rate, capacity: 64)
    for _ in 0..<5 { _ = table.take(-1, at: start) }
    for stranger in 0..<1000 { _ = table.take(stranger, at: start) }
    #expect(table.take(-1, at: start).bucket.remaining(rate, at: start) == 4)
  }

  @Test func `full buckets are evicted first`() {
    var table = BucketTable<Int>(rate, capacity: 64)
    for old in 0..<60 { _ = table.take(old, at: start) }
    let later = start + rate.interval
    for new in 100..<105 { _ = table.take(new, at: later) }
    // The new callers owe as much as the old ones did, and all of them are still in the table.
    #expect(table.count == 5)
    for new in 100..<105 {
      #expect(table.take(new, at: later).bucket.remaining(rate, at: later) == 8)
    }
  }

  @Test func `a token that is given back does not count`() {
    var table = BucketTable<Int>(rate, capacity: 64)
    for _ in 0..<100 {
      #expect(table.take(1, at: start).wait == nil)
      table.giveBack(1)
    }
    table.giveBack(2)
    #expect(table.take(1, at: start).bucket.remaining(rate, at: start) == 9)
    #expect(table.count == 1)
  }
}
