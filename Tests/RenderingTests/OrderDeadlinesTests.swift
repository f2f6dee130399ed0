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
    let soon = ContinuousClock.now + .seconds(1)
    deadlines.add(1, at: soon) { expired.add(1) }
    deadlines.remove(1)
    deadlines.add(2, at: soon) { expired.add(2) }
    deadlines.add(3, at: soon + .microseconds(1)) { expired.add(3) }
    // This one ends before its deadline, which the others have reached when it would have.
    let (stopped, late) = (OrderDeadlines(), Expired())
    stopped.add(4, at: soon) { late.add(4) }
    stopped.stop()
    stopped.add(5, at: soon) { late.add(5) }
    try await eventually("the second and the third expire") { expired.all == [2, 3] }
    #expect(late.all.isEmpty)
  }
}
