package import Bytes

/// The data of a streaming response, in chunks that are produced while the response is sent.
///
/// The daemon requests a chunk when the system has taken all previous data. So each client has at most one chunk in
/// memory, and a slow reader does not make the stream produce more.
package protocol BodyStream: AnyObject, Sendable {
  /// Waits for the next chunk.
  ///
  /// The daemon calls this again when it has sent the chunk. It never calls this for HEAD. If the client
  /// disconnects or the server stops, the daemon cancels the call and drops its result. It then makes no
  /// further call, and releases the stream.
  ///
  /// - Returns: a chunk that is not empty, or `nil` at the end.
  func next() async -> Bytes?
}
