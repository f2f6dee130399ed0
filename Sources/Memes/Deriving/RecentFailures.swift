import Synchronization

/// Pictures that could not be made lately: the next request for one gets the same error at once. Safe to use from any thread.
final class RecentFailures: Sendable {
  private static let capacity = 1024
  private static let memory = Duration.seconds(300)

  private let now: @Sendable () -> ContinuousClock.Instant
  private let failures =
    Mutex<[DerivedPictureKey: (error: MemeError, until: ContinuousClock.Instant)]>([:])

  /// - Parameter now: a clock that never goes back.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

  /// - Throws: why the picture could not be made, for five minutes.
  func check(_ key: DerivedPictureKey) throws(MemeError) {
    let now = now()
    if let failure = failures.withLock({ $0[key] }), failure.until > now { throw failure.error }
  }

  /// Keeps why a picture could not be made, if that is likely to be so again.
  func note(_ error: MemeError, of key: DerivedPictureKey) {
    switch error {
    case .renderTimeout: break
    case .rendering(let cause) where !(cause is CancellationError): break
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
