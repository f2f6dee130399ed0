import Foundation
import Synchronization
import Testing

@testable import Memes

struct SharedThrottleTests {
  /// Buckets of several servers, in memory, by a clock that the test moves.
  private final class Buckets: SharedBuckets {
    private struct State {
      var buckets: [String: TokenBucket] = [:]
      var now = ContinuousClock.now
      var calls = 0
      var isUnreachable = false
    }

    private struct Unreachable: Error {}

    private let state = Mutex(State())

    var calls: Int { state.withLock { $0.calls } }

    var now: ContinuousClock.Instant { state.withLock { $0.now } }

    func wait(_ duration: Duration) { state.withLock { $0.now += duration } }

    func end() { state.withLock { $0.isUnreachable = true } }

    func take(_ buckets: [SharedBucket]) throws -> SharedTaking {
      try state.withLock { state in
        state.calls += 1
        if state.isUnreachable { throw Unreachable() }
        let now = state.now
        var changed = state.buckets
        var isAllowed = true
        for bucket in buckets {
          var own = changed[bucket.name] ?? TokenBucket(at: now)
          if own.take(bucket.rate, at: now) != nil { isAllowed = false }
          changed[bucket.name] = own
        }
        if isAllowed { state.buckets = changed }
        return SharedTaking(
          isAllowed: isAllowed,
          untilFull: buckets.map { state.buckets[$0.name]?.untilFull(at: now) ?? .zero })
      }
    }

    func giveBack(_ buckets: [SharedBucket]) {
      state.withLock { state in
        for bucket in buckets { state.buckets[bucket.name]?.giveBack(bucket.rate) }
      }
    }

    func forget(_ buckets: [SharedBucket]) {
      state.withLock { state in for bucket in buckets { state.buckets[bucket.name] = nil } }
    }
  }

  private let guesser = Caller.guesser(
    of: .named("ada"), from: ClientNetwork("2001:db8::/64", site: "2001:db8::/48"))
  private let burst = Limit.wrongPassword.rate.burst

  private func server(_ buckets: Buckets) -> SharedThrottle {
    SharedThrottle(Throttle(isOn: true) { buckets.now }, shared: buckets)
  }

  private func wait(_ throttle: SharedThrottle, _ limit: Limit, _ caller: Caller) async -> Duration?
  {
    do { try await throttle.take(limit, for: caller) } catch {
      if case MemeError.throttled(let allowance) = error { return allowance.wait }
      Issue.record(error)
    }
    return nil
  }

  @Test func `servers count together, and a server that knows a rejection asks no more`()
    async throws
  {
    let buckets = Buckets()
    let (one, other) = (server(buckets), server(buckets))
    for count in 1...burst {
      let throttle = count.isMultiple(of: 2) ? one : other
      let left = try await throttle.take(.wrongPassword, for: guesser)
      #expect(left?.remaining == burst - count)
    }
    for throttle in [one, other] {
      #expect(await wait(throttle, .wrongPassword, guesser) == Limit.wrongPassword.rate.interval)
      let calls = buckets.calls
      #expect(await wait(throttle, .wrongPassword, guesser) != nil)
      #expect(buckets.calls == calls)
    }
    buckets.wait(Limit.wrongPassword.rate.interval)
    #expect(await wait(one, .wrongPassword, guesser) == nil)
    #expect(await wait(other, .wrongPassword, guesser) != nil)
  }

  @Test func `a right password takes nothing at any server, and a reset forgets all`() async throws
  {
    let buckets = Buckets()
    let (one, other) = (server(buckets), server(buckets))
    for _ in 0..<burst { try await one.take(.wrongPassword, for: guesser) }
    await one.giveBack(.wrongPassword, to: guesser)
    #expect(await wait(other, .wrongPassword, guesser) == nil)
    #expect(await wait(other, .wrongPassword, guesser) != nil)
    await other.forget(.wrongPassword, of: guesser)
    #expect(try await other.take(.wrongPassword, for: guesser)?.remaining == burst - 1)
  }

  @Test func `without an answer of the others, this server's count decides`() async throws {
    let buckets = Buckets()
    let one = server(buckets)
    buckets.end()
    for _ in 0..<burst { try await one.take(.wrongPassword, for: guesser) }
    #expect(await wait(one, .wrongPassword, guesser) != nil)
  }

  @Test(arguments: Limit.allCases)
  func `only limits that protect secrets and mailboxes are shared`(_ limit: Limit) async throws {
    let buckets = Buckets()
    try await server(buckets).take(limit, for: .mailbox("ada@example.org"))
    #expect(buckets.calls == (limit.isShared ? 1 : 0))
    let off = SharedThrottle(Throttle(isOn: false), shared: buckets)
    #expect(try await off.take(limit, for: guesser) == nil)
    #expect(buckets.calls == (limit.isShared ? 1 : 0))
  }

  @Test func `each caller and each site has buckets of its own`() {
    let callers: [Caller] = [
      guesser, .network(ClientNetwork("2001:db8::/64", site: "2001:db8::/48")),
      .guesser(of: .named("ada"), from: ClientNetwork("2001:db8::/48")), .mailbox("ada"),
    ]
    let names = Limit.allCases.flatMap { limit in
      callers.flatMap { limit.sharedBuckets(of: $0).map(\.name) }
    }
    #expect(Set(names).count == names.count)
  }
}
