import Foundation
import Memes
import Synchronization
import Testing

struct ChangeBellTests {
  private let ada = UserID(UUID())
  private let bob = UserID(UUID())
  private let soon = ContinuousClock.Duration.milliseconds(50)
  private let never = ContinuousClock.Duration.seconds(600)

  @Test func `a ring before the wait is not lost and is delivered once`() async {
    let bell = ChangeBell()
    let subscription = bell.subscribe(to: ada)
    for _ in 0..<3 { bell.ring(for: ada) }
    #expect(await subscription.next(until: .now + never) == .changed)
    #expect(await subscription.next(until: .now + soon) == .timeUp)
    #expect(await subscription.next(until: .now - never) == .timeUp)
    bell.ring(for: ada)
    #expect(await subscription.next(until: .now - never) == .changed)
  }

  @Test func `a ring wakes all subscribers of one person and no others`() async {
    let bell = ChangeBell()
    let (mine, theirs) = ((0..<50).map { _ in bell.subscribe(to: ada) }, bell.subscribe(to: bob))
    await withTaskGroup(of: ChangeBell.Signal.self) { group in
      for subscription in mine { group.addTask { await subscription.next(until: .now + never) } }
      bell.ring(for: ada)
      for await signal in group { #expect(signal == .changed) }
    }
    #expect(await theirs.next(until: .now + soon) == .timeUp)
    #expect(bell.count == 51)
  }

  @Test func `an ended subscription stays ended`() async {
    let bell = ChangeBell()
    let (mine, theirs) = (bell.subscribe(to: ada), bell.subscribe(to: bob))
    bell.ring(for: ada)
    bell.changed(.signedOut(ada))
    for _ in 0..<2 { #expect(await mine.next(until: .now + never) == .over) }
    // A person who is still signed in subscribes again.
    #expect(await bell.subscribe(to: ada).next(until: .now + soon) == .timeUp)
    bell.close()
    #expect(await theirs.next(until: .now + never) == .over)
    #expect(await bell.subscribe(to: ada).next(until: .now + never) == .over)
  }

  @Test func `a canceled call stops waiting`() async {
    let bell = ChangeBell()
    let subscription = bell.subscribe(to: ada)
    let waiting = Task { await subscription.next(until: .now + never) }
    waiting.cancel()
    #expect(await waiting.value == .over)
  }

  @Test func `a dropped subscription is forgotten`() {
    let bell = ChangeBell()
    do {
      let subscription = bell.subscribe(to: ada)
      withExtendedLifetime(subscription) { #expect(bell.count == 1) }
    }
    #expect(bell.count == 0)
    bell.ring(for: ada)
  }

  @Test func `thousands of waits end at their deadlines and never before`() async {
    let bell = ChangeBell()
    let began = ContinuousClock.now
    await withTaskGroup(of: (wait: Int, took: Duration, signal: ChangeBell.Signal).self) { group in
      for number in 0..<5000 {
        let wait = [900, 300, 600][number % 3]
        group.addTask {
          let subscription = bell.subscribe(to: UserID(UUID()))
          let signal = await subscription.next(until: began + .milliseconds(wait))
          return (wait, began.duration(to: .now), signal)
        }
      }
      for await (wait, took, signal) in group {
        #expect(signal == .timeUp && took >= .milliseconds(wait))
      }
    }
    #expect(bell.count == 0)
  }

  @Test func `no ring is lost, however waits and rings interleave`() async {
    let bell = ChangeBell()
    let (rings, waiters) = (2000, 8)
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<waiters {
        let subscription = bell.subscribe(to: ada)
        group.addTask {
          // Like a client: looks, and waits if nothing is new.
          var seen = 0
          while seen < rings {
            let now = counter.value
            if now == seen {
              let signal = await subscription.next(until: .now + .seconds(30))
              guard signal == .changed else {
                Issue.record("\(signal) after \(seen)")
                return
              }
            }
            seen = now
          }
        }
      }
      group.addTask {
        for _ in 0..<rings {
          counter.add()
          bell.ring(for: ada)
          await Task.yield()
        }
      }
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .acquiring) }
  func add() { count.add(1, ordering: .releasing) }
}
