/// The free space that must remain on a disk. On the data folder's disk, it is reserved for deletions.
package struct DiskReserve: Sendable {
  private let floorBytes: Int
  private let freeBytesAt: @Sendable (_ path: String) -> Int?

  /// - Parameters:
  ///   - floorBytes: the free space that must remain.
  ///   - freeBytes: returns the free space on the disk of a path; `nil` if unknown.
  package init(
    floorBytes: Int,
    freeBytes: @escaping @Sendable (_ path: String) -> Int? = { FreeDisk.bytes(at: $0) }
  ) {
    (self.floorBytes, freeBytesAt) = (floorBytes, freeBytes)
  }

  /// The free space on the disk of a path; `nil` if unknown.
  package func freeBytes(at path: String) -> Int? { freeBytesAt(path) }

  /// Whether the disk of a path has room for this many bytes, or its free space is unknown.
  package func hasRoom(for bytes: Int = 0, at path: String) -> Bool {
    freeBytes(at: path).map { $0 - floorBytes >= bytes } ?? true
  }
}
