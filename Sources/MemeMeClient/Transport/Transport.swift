/// Sends requests and hands over the answers' pieces as they come.
///
/// Nothing of an answer is cached, no cookie is taken, and no redirection followed. Each request but a `GET` is sent once. An
/// exchange is told what comes of it, on a thread of the transport's.
protocol Transport: Sendable {
  /// Begins to send the exchange's request.
  func start(_ exchange: Exchange)
  /// Lets more of an answer's body come, after the exchange had too much.
  func proceed(with exchange: Exchange)
  /// Lets go of an exchange that is over, wherever it is.
  func end(_ exchange: Exchange)
}

#if os(Linux)
  // What is called URLSession here ends the process where a connection is cut within an answer's head.
  typealias SystemTransport = CurlTransport
#else
  typealias SystemTransport = URLSessionTransport
#endif

extension Transport {
  /// Sends a request and waits for the beginning of its answer.
  ///
  /// - Parameter progress: is told how much of the request's body is sent.
  /// - Throws: ``MemeMeError``; `CancellationError` where the task that waits is cancelled, at once.
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
