import Synchronization

/// A row of whole numbers that many threads add to at once, and none waits for.
///
/// Additions are relaxed: each number is read whole, but not all of them as they were at one moment.
package final class Tally: Sendable {
  package let count: Int
  // Allocated in init, freed in deinit and never replaced; what it points to is atomic.
  nonisolated(unsafe) private let cells: UnsafeMutablePointer<Atomic<Int>>

  /// - Parameter count: how many numbers, all of them 0.
  package init(count: Int) {
    self.count = count
    cells = .allocate(capacity: count)
    for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: count)
    cells.deallocate()
  }

  /// Adds to the number at `index`; one that is not in the row is no number, and nothing happens.
  package func add(_ amount: Int = 1, at index: Int) {
    guard (0..<count).contains(index) else { return }
    cells[index].wrappingAdd(amount, ordering: .relaxed)
  }

  /// The number at `index`; 0 where there is none.
  package subscript(index: Int) -> Int {
    (0..<count).contains(index) ? cells[index].load(ordering: .relaxed) : 0
  }
}
