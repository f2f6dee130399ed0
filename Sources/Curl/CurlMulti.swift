import CCurl

/// Concurrent transfers that share a pool of connections. Use it on one thread.
package final class CurlMulti {
  private let pointer: UnsafeMutableRawPointer
  private var handles: [UnsafeMutableRawPointer: CurlHandle] = [:]
  /// Interrupts ``wait(_:)``.
  package let waker: CurlWaker

  package init() throws(CurlError) {
    guard let pointer = curl_multi_init() else { throw .outOfMemory }
    self.pointer = pointer
    waker = CurlWaker(pointer)
  }

  deinit {
    waker.retire()
    for handle in handles.keys { curl_multi_remove_handle(pointer, handle) }
    curl_multi_cleanup(pointer)
  }

  /// Begins a transfer. Keeps the handle alive until the transfer ends.
  package func add(_ handle: CurlHandle) throws(CurlError) {
    try Self.check(curl_multi_add_handle(pointer, handle.pointer))
    handles[handle.pointer] = handle
  }

  /// Aborts a transfer in any state.
  package func remove(_ handle: CurlHandle) {
    guard handles.removeValue(forKey: handle.pointer) != nil else { return }
    curl_multi_remove_handle(pointer, handle.pointer)
  }

  /// Does all work that does not require waiting.
  package func perform() throws(CurlError) {
    var running: Int32 = 0
    try Self.check(curl_multi_perform(pointer, &running))
  }

  /// Waits until there is work, the ``waker`` interrupts it, or the time has passed. Waits an hour at most.
  package func wait(_ time: Duration) throws(CurlError) {
    let time = min(max(time, .zero), .seconds(3600))
    let milliseconds = Int32((time / .milliseconds(1)).rounded(.up))
    try Self.check(curl_multi_poll(pointer, nil, 0, milliseconds, nil))
  }

  /// Removes a transfer that has ended.
  ///
  /// - Returns: the transfer, with an error if it failed; `nil` if no transfer has ended.
  package func nextFinished() -> (handle: CurlHandle, error: CurlError?)? {
    var count: Int32 = 0
    while let message = curl_multi_info_read(pointer, &count)?.pointee {
      guard message.msg == CURLMSG_DONE, let handle = handles[message.easy_handle] else { continue }
      let code = message.data.result
      remove(handle)
      return (handle, code == CURLE_OK ? nil : CurlError(code))
    }
    return nil
  }

  /// Checks for errors of the multi handle itself, which concern no single transfer.
  private static func check(_ code: CURLMcode) throws(CurlError) {
    guard code == CURLM_OK else { throw .outOfMemory }
  }
}
