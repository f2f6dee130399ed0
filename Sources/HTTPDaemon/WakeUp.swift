import Foundation

/// Wakes a thread that waits in `poll`, with a pipe that becomes readable once and stays readable.
final class WakeUp: Sendable {
  /// The descriptor to poll for `POLLIN`.
  let descriptor: Int32
  private let writeEnd: Int32

  init() throws(DaemonError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .cannotStart }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  /// Makes the descriptor readable. Safe to call on any thread.
  func signal() {
    var byte: UInt8 = 1
    // An empty pipe takes one byte without blocking. A signal can interrupt the call.
    while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
  }
}
