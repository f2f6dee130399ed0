import Memes
import Synchronization

/// Resumes the caller of an order. The first outcome counts; later ones are dropped.
final class OrderContinuation<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, any Error>

  private let continuation: Mutex<CheckedContinuation<Outcome, Never>?>

  init(_ continuation: CheckedContinuation<Outcome, Never>) {
    self.continuation = Mutex(continuation)
  }

  func give(_ outcome: Outcome) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: outcome)
  }
}
