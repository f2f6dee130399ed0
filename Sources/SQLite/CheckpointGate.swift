import Foundation

/// Keeps the checkpoints of one process and the writes of others apart.
///
/// SQLite up to 3.51.2 can lose committed writes where a connection begins the log anew while another one checkpoints
/// (https://sqlite.org/wal.html, "the WAL-reset bug"). Writes exclude each other by SQLite's own lock; a write and a checkpoint do
/// by this one. It is the kernel's, on a file beside the database, and goes with the process.
final class CheckpointGate: Sendable {
  private let descriptor: Int32

  /// Opens the file, and makes it where there is none. It is never removed: two processes have to find the same one.
  init(besides path: String) throws(SQLiteError) {
    descriptor = open("\(path)-gate", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SQLiteError(.cannotOpen, "open \(path)-gate: \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    // Not by closing it alone: a child that is being started has a copy until it becomes another program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Keeps other processes out as long as this lives. It waits for those that are in.
  func hold() { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }

  /// Runs `body` while no other process is in. It waits for those that are.
  func pass<Value>(_ body: () -> Value) -> Value {
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    defer { flock(descriptor, LOCK_UN) }
    return body()
  }

  /// Runs `body` where no other process is in, and does nothing where one is.
  func passIfFree(_ body: () -> Void) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    defer { flock(descriptor, LOCK_UN) }
    body()
  }
}
