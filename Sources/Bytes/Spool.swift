import Foundation

/// Collects bytes that arrive in pieces: in memory while they are few, in an unnamed file when they are many.
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

  private let directory: String
  private let memoryLimit: Int
  private var memory: [UInt8] = []
  private var file: Int32?

  /// The number of bytes so far.
  package private(set) var count = 0

  /// - Parameters:
  ///   - directory: where the unnamed file is made once it is needed.
  ///   - memoryLimit: how many bytes stay in memory.
  package init(directory: String, memoryLimit: Int = 64 << 10) {
    (self.directory, self.memoryLimit) = (directory, memoryLimit)
  }

  deinit { if let file { close(file) } }

  /// Adds `piece` to the end. After a failure the spool holds an unknown part of it: let the spool go.
  package func append(_ piece: UnsafeRawBufferPointer) throws(Failure) {
    if file == nil, memory.count + piece.count > memoryLimit { try spill() }
    if let file {
      try Self.write(piece, to: file)
    } else {
      memory.append(contentsOf: piece)
    }
    count += piece.count
  }

  /// Everything that was added. The spool is empty afterwards.
  package func finish() throws(Failure) -> Bytes {
    defer { (memory, count) = ([], 0) }
    guard let file else { return Bytes(memory) }
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
    let file = try Self.unnamedFile(in: directory)
    self.file = file
    // A local copy: typed throws and exclusive access to `memory` do not mix in a closure.
    let bytes = memory
    memory = []
    var failure: Failure?
    bytes.withUnsafeBytes { piece in
      do throws(Failure) { try Self.write(piece, to: file) } catch { failure = error }
    }
    if let failure { throw failure }
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
