import Foundation
import Memes
import Synchronization
import Testing

struct ThrottleTests {
  private let here = Caller.network(ClientNetwork("192.0.2.7"))
  private let there = Caller.network(ClientNetwork("192.0.2.8"))

  private func wait(_ take: () throws -> Allowance?) -> Duration? {
    do { _ = try take() } catch {
      if case MemeError.throttled(let allowance) = error { return allowance.wait }
      Issue.record(error)
    }
    return nil
  }

  @Test(arguments: Limit.allCases)
  func `one call too many is refused, and other callers are not affected`(_ limit: Limit) throws {
    let time = Mutex(ContinuousClock.now)
    let throttle = Throttle(isOn: true) { time.withLock { $0 } }
    for left in (0..<limit.rate.burst).reversed() {
      #expect(try #require(try throttle.take(limit, for: here)).remaining == left)
    }
    #expect(wait { try throttle.take(limit, for: here) } != nil)
    #expect(throttle.refusals(by: limit) == 1)
    #expect(try throttle.take(limit, for: there)?.remaining == limit.rate.burst - 1)
    for other in Limit.allCases where other != limit {
      #expect(try throttle.take(other, for: here)?.remaining == other.rate.burst - 1)
      #expect(throttle.refusals(by: other) == 0)
    }
    time.withLock { $0 += limit.rate.interval }
    #expect(try throttle.take(limit, for: here)?.remaining == 0)
    time.withLock { $0 += limit.rate.window }
    #expect(try throttle.take(limit, for: here)?.remaining == limit.rate.burst - 1)
  }

  @Test func `an account has twice the render budget of a network and pays by cost`() throws {
    let now = ContinuousClock.now
    let throttle = Throttle(isOn: true) { now }
    let person = Caller.person(UserID(UUID()))
    #expect(try throttle.take(.render, 100, for: here)?.remaining == 100)
    #expect(try throttle.take(.render, 100, for: person)?.remaining == 300)
    throttle.owe(.render, 60, by: here)
    let left = try #require(throttle.look(.render, for: here))
    #expect((left.remaining, left.burst, left.wait) == (40, 200, .zero))
    #expect(try throttle.take(.render, 5000, for: here)?.remaining == 0)
    // 160 are owed: the cost is capped at the size of the bucket (200), and 40 were left.
    #expect(
      wait { try throttle.take(.render, 1, for: here) }
        == .milliseconds(8050))
    #expect(throws: MemeError.self) { try throttle.check(.render, for: here) }
    try throttle.check(.render, for: person)
    #expect(throttle.refusals(by: .render) == 2)
  }

  @Test func `account names are case-insensitive, and networks count separately`() throws {
    let throttle = Throttle(isOn: true)
    func guesser(_ name: String, _ network: String) throws -> Caller {
      .guesser(
        of: ClaimedLogin(try #require(Login(name))), from: ClientNetwork(network))
    }
    for name in ["ada@example.org", "Ada@Example.ORG", "ADA@EXAMPLE.ORG"] {
      try throttle.take(.wrongPassword, for: try guesser(name, "a"))
    }
    let left = try throttle.take(.wrongPassword, for: try guesser("ada@example.org", "a"))
    #expect(left?.remaining == 6)
    let elsewhere = try throttle.take(.wrongPassword, for: try guesser("ada@example.org", "b"))
    #expect(elsewhere?.remaining == 9)
  }

  @Test(arguments: Limit.allCases)
  func `the networks of one site share a larger limit`(_ limit: Limit) throws {
    let time = Mutex(ContinuousClock.now)
    let throttle = Throttle(isOn: true) { time.withLock { $0 } }
    func caller(_ number: Int, of site: String = "2001:db8:1::/48") -> Caller {
      .network(ClientNetwork("\(site) \(number)", site: site))
    }
    func granted(_ callers: Range<Int>) -> Int {
      callers.reduce(0) { count, number in
        count
          + (0..<limit.rate.burst).count { _ in
            (try? throttle.take(limit, for: caller(number))) != nil
          }
      }
    }
    let burst = limit.rate.burst
    #expect(granted(0..<8) == 8 * burst)
    guard limit.siteRate != nil else {
      #expect(granted(8..<10) == 2 * burst)
      return
    }
    #expect(
      [
        .registration, .password, .singleSignOn, .wrongPassword, .passwordReset, .report, .render,
      ].contains(limit))
    #expect(granted(8..<10) == 0)
    #expect(try throttle.take(limit, for: caller(0, of: "2001:db8:2::/48")) != nil)
    // Calls refused for the site do not count against the network.
    throttle.giveBack(limit, to: caller(0))
    throttle.giveBack(limit, to: caller(0))
    #expect(try throttle.take(limit, for: caller(8))?.remaining == 1)
    time.withLock { $0 += limit.rate.window }
    #expect(try throttle.take(limit, for: caller(8))?.remaining == burst - 1)
    // Calls refused for the network do not count against the site.
    for _ in 1..<burst { try throttle.take(limit, for: caller(8)) }
    for _ in 0..<8 * burst {
      #expect(wait { try throttle.take(limit, for: caller(8)) } != nil)
    }
    #expect(try throttle.take(limit, for: caller(9))?.remaining == burst - 1)
  }

  @Test func `a successful sign-in also clears the guesses of its site`() throws {
    let now = ContinuousClock.now
    let throttle = Throttle(isOn: true) { now }
    let account = ClaimedLogin(try #require(Login("ada")))
    func guesser(_ number: Int) -> Caller {
      .guesser(of: account, from: ClientNetwork("\(number)", site: "s"))
    }
    for number in 0..<8 {
      for _ in 0..<Limit.wrongPassword.rate.burst {
        try throttle.take(.wrongPassword, for: guesser(number))
      }
    }
    #expect(throws: MemeError.self) { try throttle.take(.wrongPassword, for: guesser(8)) }
    throttle.forget(.wrongPassword, of: guesser(0))
    #expect(try throttle.take(.wrongPassword, for: guesser(0))?.remaining == 9)
  }

  @Test func `concurrent callers get no more than sequential ones`() async {
    let now = ContinuousClock.now
    let throttle = Throttle(isOn: true) { now }
    let granted = await withTaskGroup { group in
      for _ in 0..<1000 {
        group.addTask { [here] in (try? throttle.take(.upload, for: here)) == nil ? 0 : 1 }
      }
      return await group.reduce(0, +)
    }
    #expect(granted == Limit.upload.rate.burst)
    #expect(throttle.refusals(by: .upload) == 1000 - granted)
  }

  @Test func `a disabled throttle counts nothing`() throws {
    let throttle = Throttle(isOn: false)
    for _ in 0..<1000 { #expect(try throttle.take(.registration, for: here) == nil) }
    throttle.giveBack(.registration, to: here)
    #expect(throttle.refusals(by: .registration) == 0)
  }
}
