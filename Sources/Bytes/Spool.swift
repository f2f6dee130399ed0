import Files
import Foundation

/// Collects bytes that arrive in pieces: in memory while its ``SpoolPlace`` has room, otherwise in an unnamed file.
///
/// Concurrent uploads are thus limited by disk space and not by memory. The file has no name, so it disappears when the
/// process dies. Use a spool on one thread at a time.
package final class Spool {
  /// An error while storing bytes.
  package enum Failure: Error, Equatable {
    /// The disk is full, or the quota on it is exhausted.
    case full
    /// Any other system error.
    case io(errno: Int32)

    init(_ code: Int32) {
      self = code == ENOSPC || code == EDQUOT ? .full : .io(errno: code)
    }
  }

  /// The first allocation in memory, in bytes. The capacity at least doubles from there.
  private static let firstCapacity = 64 << 10

  private let place: SpoolPlace
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var file: Int32?
  /// The bytes of the file that were written since the disk had room.
  private var uncheckedBytes = 0
  private static let checkInterval = 8 << 20

  /// The number of bytes appended so far.
  package private(set) var count = 0

  package init(in place: SpoolPlace) { self.place = place }

  deinit {
    letGoOfMemory()
    if let file { close(file) }
  }

  /// Appends `piece`. If this throws, the spool holds an unknown part of the piece: discard the spool.
  package func append(_ piece: UnsafeRawBufferPointer) throws(Failure) {
    guard let source = piece.baseAddress, !piece.isEmpty else { return }
    if file == nil, !makeRoom(for: count + piece.count) { try spill() }
    if let file {
      uncheckedBytes += piece.count
      if uncheckedBytes >= Self.checkInterval {
        guard place.hasRoom() else { throw .full }
        uncheckedBytes = 0
      }
      try Self.write(piece, to: file)
    } else {
      memory?.advanced(by: count).copyMemory(from: source, byteCount: piece.count)
    }
    count += piece.count
  }

  /// Appends `bytes`, with the same guarantees.
  package func append(_ bytes: Bytes) throws(Failure) {
    try bytes.withUnsafeBytes { piece throws(Failure) in try append(piece) }
  }

  /// Returns all appended bytes. The spool is empty afterwards.
  package func finish() throws(Failure) -> Bytes {
    defer { count = 0 }
    guard let file else { return adoptMemory() }
    return try map(file)
  }

  /// - Returns: `false` if there is no room in memory for `needed` bytes.
  private func makeRoom(for needed: Int) -> Bool {
    guard needed > capacity else { return true }
    let wanted = max(needed, Self.firstCapacity, 2 * capacity)
    guard place.memory.take(wanted - capacity) else { return false }
    guard let larger = realloc(memory, wanted) else {
      place.memory.give(wanted - capacity)
      return false
    }
    (memory, capacity) = (larger, wanted)
    return true
  }

  private func letGoOfMemory() {
    free(memory)
    place.memory.give(capacity)
    (memory, capacity) = (nil, 0)
  }

  /// Hands the memory over to a ``Bytes`` value, which returns the room to the place when it is freed.
  private func adoptMemory() -> Bytes {
    guard let start = memory else { return Bytes() }
    // Nothing else refers to the memory. It is freed exactly once, on any thread.
    nonisolated(unsafe) let adopted = start
    let (place, room) = (place, capacity)
    (memory, capacity) = (nil, 0)
    return Bytes(adopting: UnsafeRawBufferPointer(start: start, count: count)) {
      free(adopted)
      place.memory.give(room)
    }
  }

  private func map(_ file: Int32) throws(Failure) -> Bytes {
    defer {
      close(file)
      self.file = nil
    }
    let length = count
    guard let start = mmap(nil, length, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
      throw Failure(errno)
    }
    // Read-only, and no other code can reach the unnamed file. The closure below unmaps it exactly once, on any thread.
    nonisolated(unsafe) let mapping = start
    return Bytes(adopting: UnsafeRawBufferPointer(start: start, count: length), isFile: true) {
      munmap(mapping, length)
    }
  }

  private func spill() throws(Failure) {
    guard place.hasRoom() else { throw .full }
    uncheckedBytes = 0
    let file = try Self.unnamedFile(in: place.directory)
    self.file = file
    try Self.write(UnsafeRawBufferPointer(start: memory, count: count), to: file)
    letGoOfMemory()
  }

  private static func unnamedFile(in directory: String) throws(Failure) -> Int32 {
    var template = Array("\(directory)/upload-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw Failure(errno) }
    unlink(template)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }

  private static func write(_ piece: UnsafeRawBufferPointer, to file: Int32) throws(Failure) {
    do throws(FileError) { try Files.write(piece, to: file, path: "") } catch {
      throw Failure(error.errno)
    }
  }
}
