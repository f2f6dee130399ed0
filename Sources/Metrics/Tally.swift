import Synchronization

/// A fixed array of integers that many threads add to at once without locking.
///
/// Additions are relaxed: each number is read atomically, but all of them together are not a consistent snapshot.
package final class Tally: Sendable {
  package let count: Int
  // Allocated in init, freed in deinit and never replaced. The cells are atomic.
  nonisolated(unsafe) private let cells: UnsafeMutablePointer<Atomic<Int>>

  /// - Parameter count: the number of cells, which all begin at 0.
  package init(count: Int) {
    self.count = count
    cells = .allocate(capacity: count)
    for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: count)
    cells.deallocate()
  }

  /// Adds to the number at `index`. Does nothing if the index is out of range.
  package func add(_ amount: Int = 1, at index: Int) {
    guard (0..<count).contains(index) else { return }
    cells[index].wrappingAdd(amount, ordering: .relaxed)
  }

  /// The number at `index`; 0 if the index is out of range.
  package subscript(index: Int) -> Int {
    (0..<count).contains(index) ? cells[index].load(ordering: .relaxed) : 0
  }
}
