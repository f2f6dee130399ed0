import Synchronization

/// Storage for bodies while they arrive or are sent: a memory budget that all of them share, then files in a folder.
///
/// Safe to use from any thread.
package final class SpoolPlace: Sendable {
  let directory: String
  /// Whether the disk has room for more files.
  let hasRoom: @Sendable () -> Bool
  private let freeBytes: Atomic<Int>

  /// - Parameters:
  ///   - directory: the folder for the unnamed files of bodies that do not fit in memory.
  ///   - memoryBytes: the memory budget of all spools together.
  ///   - hasRoom: asked before a file is begun, and for every 8 MiB of it.
  package init(
    directory: String, memoryBytes: Int = 64 << 20,
    hasRoom: @escaping @Sendable () -> Bool = { true }
  ) {
    (self.directory, self.hasRoom) = (directory, hasRoom)
    freeBytes = Atomic(memoryBytes)
  }

  /// Counts bytes in the memory budget for as long as they are used. Beyond the budget, moves them to a file.
  ///
  /// - Throws: ``Spool/Failure/full`` if the disk has no room either.
  package func hold(_ bytes: Bytes) throws(Spool.Failure) -> Bytes {
    guard take(bytes.count) else {
      let spool = Spool(in: SpoolPlace(directory: directory, memoryBytes: 0, hasRoom: hasRoom))
      try spool.append(bytes)
      return try spool.finish()
    }
    return bytes.keeping(Room(byteCount: bytes.count, of: self))
  }

  /// A part of the memory budget, which it returns at its end.
  private final class Room: Sendable {
    private let byteCount: Int
    private let place: SpoolPlace

    init(byteCount: Int, of place: SpoolPlace) { (self.byteCount, self.place) = (byteCount, place) }

    deinit { place.give(byteCount) }
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
