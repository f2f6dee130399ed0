import Memes
import Synchronization

/// Where the one who gave an order waits. The first answer counts; later ones are dropped.
final class RenderAnswer<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, MemeError>

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
