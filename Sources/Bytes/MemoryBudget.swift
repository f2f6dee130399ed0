import Synchronization

/// An amount of memory that several values share. Safe to use from any thread.
package final class MemoryBudget: Sendable {
  private let freeBytes: Atomic<Int>

  package init(byteCount: Int) { freeBytes = Atomic(byteCount) }

  /// Counts bytes for as long as they are used.
  ///
  /// - Returns: the same bytes; `nil` if the budget has fewer left.
  package func reserve(_ bytes: Bytes) -> Bytes? {
    guard take(bytes.count) else { return nil }
    return bytes.keeping(Room(byteCount: bytes.count, of: self))
  }

  /// Reserves memory.
  ///
  /// - Returns: `false` if the budget has less than `bytes` left. Nothing is reserved then.
  func take(_ bytes: Int) -> Bool {
    guard freeBytes.subtract(bytes, ordering: .relaxed).newValue < 0 else { return true }
    give(bytes)
    return false
  }

  func give(_ bytes: Int) { freeBytes.add(bytes, ordering: .relaxed) }

  /// A part of the budget, which it returns at its end.
  private final class Room: Sendable {
    private let byteCount: Int
    private let budget: MemoryBudget

    init(byteCount: Int, of budget: MemoryBudget) {
      (self.byteCount, self.budget) = (byteCount, budget)
    }

    deinit { budget.give(byteCount) }
  }
}
