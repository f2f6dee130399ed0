import Synchronization

/// A counter that only increases. Safe to use from any thread.
package final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  package init() {}

  package func add(_ amount: Int = 1) { number.wrappingAdd(amount, ordering: .relaxed) }

  package var value: Int { number.load(ordering: .relaxed) }
}
