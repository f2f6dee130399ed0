import Bytes
import Files
import Foundation
import Memes

/// A file that exists completely or not at all, even after a crash. It is written under a temporary name,
/// synced, and renamed.
///
/// Used by one task at a time. An unfinished file is deleted in `deinit`.
final class DurableFile {
  /// The suffix of unfinished files.
  static let partial = ".part"

  private let folder: String
  private let name: String
  private var file: Int32
  private var buffer: [UInt8] = []

  private var path: String { "\(folder)/\(name)" }

  /// - Parameter name: a path relative to `folder`.
  init(_ name: String, in folder: String) throws(FileError) {
    (self.folder, self.name) = (folder, name)
    let path = "\(folder)/\(name)\(Self.partial)"
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("open", name) }
  }

  deinit {
    guard file >= 0 else { return }
    close(file)
    unlink(path + Self.partial)
  }

  /// Appends bytes to the file.
  func append(_ bytes: Bytes) throws(FileError) {
    bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
    if buffer.count >= 1 << 18 { try flush() }
  }

  /// Syncs and renames the file. The new name is durable after ``Files/sync(_:)``.
  func finish() throws(FileError) {
    try flush()
    try Files.sync(file, path: name)
    guard rename(path + Self.partial, path) == 0 else { throw FileError("rename", name) }
    close(file)
    file = -1
  }

  private func flush() throws(FileError) {
    try Files.write(Bytes(buffer), to: file, path: name)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes a whole file. Its name is durable after ``Files/sync(_:)``.
  static func write(_ bytes: Bytes, to name: String, in folder: String) throws(FileError) {
    let file = try DurableFile(name, in: folder)
    try Files.write(bytes, to: file.file, path: name)
    try file.finish()
  }
}
