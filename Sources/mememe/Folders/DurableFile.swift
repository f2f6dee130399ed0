import Bytes
import Foundation

/// Why something in a folder of the operator's cannot be written.
struct FolderFailure: Error, CustomStringConvertible {
  let path: String
  private let code: Int32

  /// - Parameter code: the system's error number.
  init(_ path: String, _ code: Int32 = errno) { (self.path, self.code) = (path, code) }

  var description: String { "\(path): \(String(cString: strerror(code)))" }
}

/// A file that is there whole or not at all, also after a crash: written under another name, synced, and renamed.
///
/// Used by one task at a time. What is not finished is taken away.
final class DurableFile {
  /// What the names of files end with that are not whole.
  static let partial = ".part"

  private let folder: String
  private let name: String
  private var file: Int32
  private var buffer: [UInt8] = []

  private var path: String { "\(folder)/\(name)" }

  /// - Parameter name: perhaps with a folder, within `folder`.
  init(_ name: String, in folder: String) throws(FolderFailure) {
    (self.folder, self.name) = (folder, name)
    let path = "\(folder)/\(name)\(Self.partial)"
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FolderFailure(name) }
  }

  deinit {
    guard file >= 0 else { return }
    close(file)
    unlink(path + Self.partial)
  }

  /// Adds bytes to its end.
  func append(_ bytes: Bytes) throws(FolderFailure) {
    bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
    if buffer.count >= 1 << 18 { try flush() }
  }

  /// Gives the file its name. That is durable when the folder is synced.
  func finish() throws(FolderFailure) {
    try flush()
    guard fsync(file) == 0, rename(path + Self.partial, path) == 0 else {
      throw FolderFailure(name)
    }
    close(file)
    file = -1
  }

  private func flush() throws(FolderFailure) {
    try write(Bytes(buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: Bytes) throws(FolderFailure) {
    try bytes.withUnsafeBytes { bytes throws(FolderFailure) in try write(bytes) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(FolderFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(file, rest.baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw FolderFailure(name)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Writes a whole file. That it has its name is durable when the folder is synced.
  static func write(_ bytes: Bytes, to name: String, in folder: String) throws(FolderFailure) {
    let file = try DurableFile(name, in: folder)
    try file.write(bytes)
    try file.finish()
  }

  /// Makes the names in a folder durable.
  static func sync(folder: String) throws(FolderFailure) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FolderFailure(folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FolderFailure(folder) }
  }
}
