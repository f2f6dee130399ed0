import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests by URLSession and hands over the answers' pieces as they come.
///
/// Nothing of an answer is cached, no cookie is taken, and no redirection followed.
final class Transport: Sendable {
  private let reading: TransportLine
  /// For what changes something.
  private let changing: TransportLine

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    // A long poll and a stream of events hold one each.
    configuration.httpMaximumConnectionsPerHost = 12
    reading = TransportLine(configuration)
    #if canImport(FoundationNetworking)
      // libcurl sends a request again, by itself, where a kept connection ends before there is an answer, whatever it is
      // that it asks for; and what it sends then of a body is not the whole. So these connections are not kept.
      configuration.httpAdditionalHeaders = ["Connection": "close"]
      changing = TransportLine(configuration)
    #else
      changing = reading
    #endif
  }

  /// Sends a request and waits for the beginning of its answer.
  ///
  /// - Parameters:
  ///   - file: the request's body, where it is in a file.
  ///   - mostUnreadBytes: how far the answer's body may be ahead of who reads it.
  func open(
    _ request: URLRequest, file: SpooledFile?, mostUnreadBytes: Int,
    progress: UploadProgress.Handler?
  ) async throws -> IncomingAnswer {
    try Task.checkCancellation()
    let line = request.httpMethod == "GET" ? reading : changing
    let task = line.session.task(request, file)
    let exchange = Exchange(
      mostUnreadBytes: mostUnreadBytes, bodyBytes: file?.byteCount ?? 0, progress: progress)
    line.exchanges.add(exchange, task)
    let end: @Sendable () -> Void = { [exchanges = line.exchanges] in
      // Who waits is told at once, whatever URLSession says and when; and it takes locks of its own to cancel, which are
      // not to be waited for in the midst of a task's cancellation.
      exchanges.remove(task)?.ended(CancellationError())
      DispatchQueue.global().async { task.cancel() }
    }
    // Its file is there for as long as it may be read.
    defer { withExtendedLifetime(file) {} }
    let head = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        exchange.awaitHead(waiter)
        task.resume()
      }
    } onCancel: {
      end()
    }
    return IncomingAnswer(head: head, exchange: exchange, end: end)
  }
}

extension URLSession {
  fileprivate func task(_ request: URLRequest, _ file: SpooledFile?) -> URLSessionTask {
    guard let file else { return dataTask(with: request) }
    #if canImport(FoundationNetworking)
      // An upload from a file ends the process here where it is cut while the file is read. A stream goes out in chunks.
      var request = request
      request.httpBodyStream = InputStream(url: file.url)
      return dataTask(with: request)
    #else
      return uploadTask(with: request, fromFile: file.url)
    #endif
  }
}
