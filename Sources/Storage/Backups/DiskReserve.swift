/// The free space on a disk, and how much of it must remain.
package struct DiskReserve: Sendable {
  /// The free space that must remain.
  private let floorBytes: Int
  private let freeBytesAt: @Sendable (_ path: String) -> Int?

  /// - Parameters:
  ///   - floorBytes: the free space that must remain.
  ///   - freeBytes: returns the free space on the disk of a path; `nil` if unknown.
  package init(floorBytes: Int, freeBytes: @escaping @Sendable (_ path: String) -> Int?) {
    (self.floorBytes, freeBytesAt) = (floorBytes, freeBytes)
  }

  /// The free space on the disk of a path; `nil` if unknown.
  func freeBytes(at path: String) -> Int? { freeBytesAt(path) }

  /// Whether the disk of a path has room for this many bytes, or its free space is unknown.
  func hasRoom(for bytes: Int, at path: String) -> Bool {
    freeBytes(at: path).map { $0 - floorBytes >= bytes } ?? true
  }
}
