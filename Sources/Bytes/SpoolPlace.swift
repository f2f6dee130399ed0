import Synchronization

/// Storage for request bodies while they arrive: a memory budget that all of them share, then files in a folder.
///
/// Safe to use from any thread.
package final class SpoolPlace: Sendable {
  let directory: String
  private let freeBytes: Atomic<Int>

  /// - Parameters:
  ///   - directory: the folder for the unnamed files of bodies that do not fit in memory.
  ///   - memoryBytes: the memory budget of all spools together.
  package init(directory: String, memoryBytes: Int = 64 << 20) {
    self.directory = directory
    freeBytes = Atomic(memoryBytes)
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
}
