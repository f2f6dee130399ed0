import Eventually
import Synchronization
import Testing

@testable import Rendering

struct OrderDeadlinesTests {
  private final class Expired: Sendable {
    private let numbers = Mutex<[Int]>([])

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0 } }
  }

  @Test func `orders expire, also after a time without any`() async throws {
    let (deadlines, expired) = (OrderDeadlines(), Expired())
    for number in 1...3 {
      deadlines.add(number, at: .now) { expired.add(number) }
      try await eventually("\(number) expires") { expired.all == Array(1...number) }
    }
  }

  @Test func `all waiting orders expire at their own deadlines`() async throws {
    let (deadlines, expired) = (OrderDeadlines(), Expired())
    let start = ContinuousClock.now
    deadlines.add(1, at: start + .milliseconds(20)) { expired.add(1) }
    deadlines.add(2, at: start + .milliseconds(40)) { expired.add(2) }
    deadlines.add(3, at: start + .seconds(3600)) { expired.add(3) }
    try await eventually("two expire") { expired.all == [1, 2] }
    #expect(ContinuousClock.now - start >= .milliseconds(40))
  }

  @Test func `an earlier deadline than that of a waiting order is met`() async throws {
    let (deadlines, expired) = (OrderDeadlines(), Expired())
    deadlines.add(1, at: .now + .seconds(3600)) { expired.add(1) }
    deadlines.add(2, at: .now) { expired.add(2) }
    try await eventually("the second expires") { expired.all == [2] }
    deadlines.add(3, at: .now) { expired.add(3) }
    try await eventually("the third expires") { expired.all == [2, 3] }
  }

  @Test func `removed orders, and all after the end, do not expire`() async throws {
    let (deadlines, expired) = (OrderDeadlines(), Expired())
    let soon = ContinuousClock.now + .milliseconds(20)
    deadlines.add(1, at: soon) { expired.add(1) }
    deadlines.remove(1)
    deadlines.add(2, at: soon) { expired.add(2) }
    try await eventually("the second expires") { expired.all == [2] }
    deadlines.add(3, at: .now + .milliseconds(20)) { expired.add(3) }
    deadlines.stop()
    // With the same deadline as the third, in other deadlines, whose task begins to sleep later.
    let (others, reached) = (OrderDeadlines(), Expired())
    others.add(4, at: .now + .milliseconds(40)) { reached.add(4) }
    try await eventually("the fourth expires") { reached.all == [4] }
    #expect(expired.all == [2])
  }
}
