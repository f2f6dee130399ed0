import Synchronization

/// The port that the server listens on, known once it listens: with port 0 the system chooses one.
///
/// Components that need the port are built earlier. No request can arrive before, because clients do not know the
/// port yet either.
final class ListeningPort: Sendable {
  private let value: Atomic<Int>

  /// - Parameter number: the configured port; 0 for any.
  init(_ number: Int) { value = Atomic(number) }

  var number: Int {
    get { value.load(ordering: .relaxed) }
    set { value.store(newValue, ordering: .relaxed) }
  }
}
