import Files
import Foundation
import Synchronization

/// The folder of a library, and the lock that excludes other processes.
///
/// The kernel holds the lock and releases it when the process ends, even after a crash.
final class LibraryFolder: Sendable {
  let url: URL
  /// The descriptor of the lock file; `nil` after the lock is released.
  private let lock: Mutex<Int32?>

  /// Creates the folder (mode 0700) if it does not exist, and locks it until ``unlock()`` or deinitialization.
  ///
  /// - Throws: ``LibraryError/inUse(processID:)`` and ``LibraryError/unusable(_:)``.
  init(_ url: URL) throws(LibraryError) {
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw .unusable("Cannot create the folder: \(error.localizedDescription)") }
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
    Self.protectDatabase(at: url.appending(path: "library.db").path)
    // The process ID is for diagnosis only. The lock alone decides.
    let text = "\(getpid())\n"
    ftruncate(lock, 0)
    _ = text.withCString { pwrite(lock, $0, strlen($0), 0) }
  }

  deinit { unlock() }

  /// Releases the lock.
  func unlock() {
    lock.withLock { lock in
      guard let held = lock else { return }
      // Closing alone is not enough: a child process between fork and exec has a copy of the descriptor and the lock.
      flock(held, LOCK_UN)
      close(held)
      lock = nil
    }
  }

  /// The path of the database.
  var database: String { url.appending(path: "library.db").path }

  /// Lets only this user read the database, also in a folder that others can read. SQLite gives the files of the WAL
  /// the mode of the database, and takes an empty file for a new database.
  private static func protectDatabase(at path: String) {
    // Opening the database reports the reason of a failure.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
    // Earlier versions left the mode to the umask.
    for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o600) }
  }

  /// Syncs the parent folder. Files survive a power loss only if the directory entry of their folder does.
  private static func syncParent(of url: URL) throws(LibraryError) {
    let parent = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // An app may lack permission to open the parent folder. In that case the system maintains the parent folder.
    guard parent >= 0 else { return }
    defer { close(parent) }
    do throws(FileError) { try Files.sync(parent, path: url.path) } catch {
      throw .unusable(error.description)
    }
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
