import Foundation
import SQL

/// A lock that separates the checkpoints of one process from the writes of other processes.
///
/// SQLite up to 3.51.2 can lose committed writes if one connection resets the WAL while another one checkpoints
/// (https://sqlite.org/wal.html, "the WAL-reset bug"). SQLite's own lock separates writes from writes; this lock
/// separates writes from checkpoints. It is a kernel lock on a file next to the database, and it ends with the process.
final class CheckpointGate: Sendable {
  private let descriptor: Int32

  /// Opens the lock file, and creates it if it does not exist. The file is never removed, because
  /// all processes must find the same one.
  init(besides path: String) throws(DatabaseError) {
    descriptor = open("\(path)-gate", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw DatabaseError(.cannotOpen, "open \(path)-gate: \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    // Closing the file is not enough: a child process that is being started holds a copy until it runs another program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Keeps other processes out for the lifetime of this object. Waits until the lock is free.
  func hold() { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }

  /// Runs `body` while no other process holds the lock. Waits until the lock is free.
  func pass<Value>(_ body: () -> Value) -> Value {
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    defer { flock(descriptor, LOCK_UN) }
    return body()
  }

  /// Runs `body` if no other process holds the lock. Otherwise does nothing.
  func passIfFree(_ body: () -> Void) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    defer { flock(descriptor, LOCK_UN) }
    body()
  }
}
