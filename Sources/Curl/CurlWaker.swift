import CCurl
import Synchronization

/// Wakes a thread that waits in ``CurlMulti/wait(_:)``, from any thread.
package final class CurlWaker: Sendable {
  // curl_multi_wakeup alone is called with it, which any thread may call for as long as the handle is there.
  private struct Multi: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private let multi: Mutex<Multi?>

  init(_ pointer: UnsafeMutableRawPointer) { multi = Mutex(Multi(pointer: pointer)) }

  /// If nobody waits, the next wait ends at once; if there is nothing any more that could wait, nothing happens.
  package func wake() {
    multi.withLock { multi in
      if let multi { _ = curl_multi_wakeup(multi.pointer) }
    }
  }

  func retire() { multi.withLock { $0 = nil } }
}
