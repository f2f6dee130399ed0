import Synchronization

/// The port that the server listens on, known once it does: with port 0 the system chooses.
///
/// What needs it is built before. Nobody can ask for anything earlier who does not know the port either.
final class ListeningPort: Sendable {
  private let value: Atomic<Int>

  /// - Parameter number: the one that is set; 0 for any.
  init(_ number: Int) { value = Atomic(number) }

  var number: Int {
    get { value.load(ordering: .relaxed) }
    set { value.store(newValue, ordering: .relaxed) }
  }
}
