import Foundation

/// Collects bytes that arrive in pieces: in memory where there is room, else in an unnamed file.
///
/// What many clients upload at once is then bounded by the disk and not by memory. The file has no name, so
/// nothing is left behind when the process dies. One spool is used by one thread at a time.
package final class Spool {
  /// Why bytes could not be kept.
  package enum Failure: Error, Equatable {
    /// The disk, or the quota on it, is full.
    case full
    /// Anything else, as the system's error number.
    case io(errno: Int32)

    init(_ code: Int32) {
      self = code == ENOSPC || code == EDQUOT ? .full : .io(errno: code)
    }
  }

  /// The first room that is taken in memory; it doubles from there.
  private static let firstCapacity = 64 << 10

  private let place: SpoolPlace
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var file: Int32?

  /// The number of bytes so far.
  package private(set) var count = 0

  package init(in place: SpoolPlace) { self.place = place }

  deinit {
    letGoOfMemory()
    if let file { close(file) }
  }

  /// Adds `piece` to the end. After a failure the spool holds an unknown part of it: let the spool go.
  package func append(_ piece: UnsafeRawBufferPointer) throws(Failure) {
    guard let source = piece.baseAddress, !piece.isEmpty else { return }
    if file == nil, !makeRoom(for: count + piece.count) { try spill() }
    if let file {
      try Self.write(piece, to: file)
    } else {
      memory?.advanced(by: count).copyMemory(from: source, byteCount: piece.count)
    }
    count += piece.count
  }

  /// Everything that was added. The spool is empty afterwards.
  package func finish() throws(Failure) -> Bytes {
    defer { count = 0 }
    guard let file else { return adoptMemory() }
    return try map(file)
  }

  /// - Returns: `false` where there is no room for so many bytes in memory.
  private func makeRoom(for needed: Int) -> Bool {
    guard needed > capacity else { return true }
    let wanted = max(needed, Self.firstCapacity, 2 * capacity)
    guard place.take(wanted - capacity) else { return false }
    guard let larger = realloc(memory, wanted) else {
      place.give(wanted - capacity)
      return false
    }
    (memory, capacity) = (larger, wanted)
    return true
  }

  private func letGoOfMemory() {
    free(memory)
    place.give(capacity)
    (memory, capacity) = (nil, 0)
  }

  /// Turns the memory into bytes, which give the room back when they go.
  private func adoptMemory() -> Bytes {
    guard let start = memory else { return Bytes() }
    // Nobody else has the memory, and it is freed once, whatever thread does it.
    nonisolated(unsafe) let adopted = start
    let (place, room) = (place, capacity)
    (memory, capacity) = (nil, 0)
    return Bytes(adopting: UnsafeRawBufferPointer(start: start, count: count)) {
      free(adopted)
      place.give(room)
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
    // The mapping is unmapped by the same address and length that made it, whatever thread does it.
    nonisolated(unsafe) let mapping = start
    return Bytes(adopting: UnsafeRawBufferPointer(start: start, count: length)) {
      munmap(mapping, length)
    }
  }

  private func spill() throws(Failure) {
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
    var rest = piece
    while !rest.isEmpty {
      let written = Foundation.write(file, rest.baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        throw Failure(errno)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }
}
