import Memes
import Synchronization

/// Renditions that recently failed. The next request for one gets the same error at once. Safe to use from any thread.
final class RecentFailures: Sendable {
  private static let capacity = 1024
  private static let memory = Duration.seconds(300)

  private let now: @Sendable () -> ContinuousClock.Instant
  private let failures =
    Mutex<[DerivedPictureKey: (error: any Error, until: ContinuousClock.Instant)]>([:])

  /// - Parameter now: a monotonic clock.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

  /// - Throws: the error of the last attempt, if it is less than five minutes old.
  func check(_ key: DerivedPictureKey) throws {
    let now = now()
    if let failure = failures.withLock({ $0[key] }), failure.until > now { throw failure.error }
  }

  /// Records why a rendition failed, if the next attempt is likely to fail in the same way.
  func note(_ error: any Error, of key: DerivedPictureKey) {
    switch error {
    case MemeError.renderTimeout: break
    case MemeError.rendering(let cause) where !(cause is CancellationError): break
    default: return
    }
    let now = now()
    failures.withLock { failures in
      if failures.count >= Self.capacity { failures = failures.filter { $0.value.until > now } }
      if failures.count >= Self.capacity, let any = failures.first?.key { failures[any] = nil }
      failures[key] = (error, now + Self.memory)
    }
  }
}
