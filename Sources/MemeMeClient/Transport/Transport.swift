/// Sends requests and delivers the responses in chunks as they arrive.
///
/// It does not cache responses, accept cookies or follow redirects. Every request except a `GET` is sent once. The
/// transport calls its exchanges on a thread of its own.
protocol Transport: Sendable {
  /// Starts to send the request of an exchange.
  func start(_ exchange: Exchange)
  /// Resumes delivery of a response body that was ahead of its reader.
  func proceed(with exchange: Exchange)
  /// Drops an exchange that has ended, whatever its state.
  func end(_ exchange: Exchange)
}

#if os(Linux)
  // URLSession on Linux crashes the process if a connection closes within a response head.
  typealias SystemTransport = CurlTransport
#else
  typealias SystemTransport = URLSessionTransport
#endif

extension Transport {
  /// Sends a request and waits for the response head.
  ///
  /// - Parameter progress: A callback for the progress of the request body.
  /// - Throws: ``MemeMeError``; `CancellationError` at once if the waiting task is cancelled.
  func open(
    _ request: OutgoingRequest, progress: UploadProgress.Handler?
  ) async throws -> IncomingAnswer {
    try Task.checkCancellation()
    let exchange = Exchange(request, on: self, progress: progress)
    let head = try await withTaskCancellationHandler {
      try await exchange.head()
    } onCancel: {
      exchange.cancel()
    }
    return IncomingAnswer(head: head, exchange: exchange)
  }
}
