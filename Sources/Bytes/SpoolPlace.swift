/// Storage for bodies while they arrive or are sent: a memory budget that all of them share, then files in a folder.
///
/// Safe to use from any thread.
package final class SpoolPlace: Sendable {
  let directory: String
  /// Whether the disk has room for more files.
  let hasRoom: @Sendable () -> Bool
  let memory: MemoryBudget

  /// - Parameters:
  ///   - directory: the folder for the unnamed files of bodies that do not fit in memory.
  ///   - memoryBytes: the memory budget of all spools together.
  ///   - hasRoom: asked before a file is begun, and for every 8 MiB of it.
  package init(
    directory: String, memoryBytes: Int = 64 << 20,
    hasRoom: @escaping @Sendable () -> Bool = { true }
  ) {
    (self.directory, self.hasRoom) = (directory, hasRoom)
    memory = MemoryBudget(byteCount: memoryBytes)
  }

  /// Counts bytes in the memory budget for as long as they are used. Beyond the budget, copies them to a file. The
  /// copy does not keep what they keep. Bytes that are a file already stay as they are.
  ///
  /// The calling thread waits for the disk: otherwise, any number of bodies would wait in memory for their files.
  ///
  /// - Throws: ``Spool/Failure/full`` if the disk has no room either.
  package func hold(_ bytes: Bytes) throws(Spool.Failure) -> Bytes {
    if bytes.isFile { return bytes }
    if let held = memory.reserve(bytes) { return held }
    let spool = Spool(in: SpoolPlace(directory: directory, memoryBytes: 0, hasRoom: hasRoom))
    try spool.append(bytes)
    return try spool.finish()
  }
}
