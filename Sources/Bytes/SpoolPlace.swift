import Synchronization

/// Where bodies wait while they arrive: in memory as long as all of them together find room there, else in a folder.
///
/// Safe to use from any thread.
package final class SpoolPlace: Sendable {
  let directory: String
  private let freeBytes: Atomic<Int>

  /// - Parameters:
  ///   - directory: the folder of the unnamed files for what finds no room in memory.
  ///   - memoryBytes: the room that all spools have together.
  package init(directory: String, memoryBytes: Int = 64 << 20) {
    self.directory = directory
    freeBytes = Atomic(memoryBytes)
  }

  /// - Returns: whether there was so much room, which is taken then.
  func take(_ bytes: Int) -> Bool {
    guard freeBytes.subtract(bytes, ordering: .relaxed).newValue < 0 else { return true }
    give(bytes)
    return false
  }

  func give(_ bytes: Int) { freeBytes.add(bytes, ordering: .relaxed) }
}
