import CCurl
import Synchronization

/// Wakes a thread that waits in ``CurlMulti/wait(_:)``. Safe to use from any thread.
package final class CurlWaker: Sendable {
  // Passed only to curl_multi_wakeup, which any thread may call while the multi handle exists. wake() calls it under
  // the lock, and retire() removes the pointer under the lock before the handle is freed.
  private struct Multi: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private let multi: Mutex<Multi?>

  init(_ pointer: UnsafeMutableRawPointer) { multi = Mutex(Multi(pointer: pointer)) }

  /// If no thread is waiting, the next wait returns at once. After the multi handle is freed, this does nothing.
  package func wake() {
    multi.withLock { multi in
      if let multi { _ = curl_multi_wakeup(multi.pointer) }
    }
  }

  func retire() { multi.withLock { $0 = nil } }
}
