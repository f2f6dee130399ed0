import Foundation
import Synchronization

/// The folder of a library, and the lock that keeps a second process out of it.
///
/// The lock is the kernel's: it goes when the process goes, however that ends.
final class LibraryFolder: Sendable {
  let url: URL
  /// `nil` once it is given back.
  private let lock: Mutex<Int32?>

  /// Makes the folder (mode 0700) where there is none, and locks it until ``unlock()``, or the last reference to this goes.
  ///
  /// - Throws: ``LibraryError/inUse(processID:)`` and ``LibraryError/unusable(_:)``.
  init(_ url: URL) throws(LibraryError) {
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw .unusable("The folder cannot be made: \(error.localizedDescription)") }
    try Self.syncParent(of: url)
    let lock = open(
      url.appending(path: "library.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw .unusable(Self.reason("open")) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      defer { close(lock) }
      throw errno == EWOULDBLOCK
        ? .inUse(processID: Self.processID(in: lock)) : .unusable(Self.reason("flock"))
    }
    self.url = url
    self.lock = Mutex(lock)
    // For people only: the lock is what counts.
    let text = "\(getpid())\n"
    ftruncate(lock, 0)
    _ = text.withCString { pwrite(lock, $0, strlen($0), 0) }
  }

  deinit { unlock() }

  /// Lets others in.
  func unlock() {
    lock.withLock { lock in
      guard let held = lock else { return }
      // Not by closing it alone: a child that is being started has a copy, and with it the lock, until it becomes another program.
      flock(held, LOCK_UN)
      close(held)
      lock = nil
    }
  }

  /// Where the database is.
  var database: String { url.appending(path: "library.db").path }

  /// What is in a folder survives a loss of power only if the folder's own name does.
  private static func syncParent(of url: URL) throws(LibraryError) {
    let parent = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // An app may have no right to open the folder that its own is in; that one is the system's to keep then.
    guard parent >= 0 else { return }
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw .unusable(reason("fsync")) }
  }

  private static func reason(_ call: String) -> String {
    "\(call): \(String(cString: strerror(errno)))"
  }

  private static func processID(in lock: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(lock, &text, text.count, 0)
    guard count > 0 else { return nil }
    return Int32(
      String(decoding: text.prefix(count), as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
