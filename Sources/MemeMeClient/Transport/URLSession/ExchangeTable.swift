#if !os(Linux)
  import Foundation
  import Synchronization

  /// The delegate of URLSession. It forwards each callback to the exchange that it belongs to.
  final class ExchangeTable: NSObject, URLSessionDataDelegate {
    private struct Entry {
      let exchange: Exchange
      let task: URLSessionTask
    }

    private let entries = Mutex<[Int: Entry]>([:])

    func add(_ exchange: Exchange, _ task: URLSessionTask) {
      entries.withLock { $0[task.taskIdentifier] = Entry(exchange: exchange, task: task) }
    }

    func task(of exchange: Exchange) -> URLSessionTask? {
      entries.withLock { $0.values.first { $0.exchange === exchange }?.task }
    }

    /// - Returns: The task that performed the exchange.
    func remove(_ exchange: Exchange) -> URLSessionTask? {
      guard let task = task(of: exchange) else { return nil }
      return entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.task
    }

    private subscript(_ task: URLSessionTask) -> Exchange? {
      entries.withLock { $0[task.taskIdentifier]?.exchange }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
      totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
      self[task]?.sent(totalBytesSent)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      if let response = response as? HTTPURLResponse {
        self[dataTask]?.received(AnswerHead(response))
      }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let exchange = self[dataTask], !exchange.received(data) else { return }
      dataTask.suspend()
    }

    /// Does not follow redirects: the credentials of a request are for that server only.
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    /// Leaves the validation of certificates to the system. The client has no name and password for other challenges,
    /// so it treats them as responses.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let method = challenge.protectionSpace.authenticationMethod
      let isAboutCertificates =
        method == NSURLAuthenticationMethodServerTrust
        || method == NSURLAuthenticationMethodClientCertificate
      completionHandler(isAboutCertificates ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let entry = entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      entry?.exchange.ended(error.map(Self.failure))
    }

    private static func failure(_ error: any Error) -> any Error {
      guard let error = error as? URLError else { return MemeMeError.connection(.unknown) }
      switch error.code {
      case .cancelled: return CancellationError()
      case .timedOut: return MemeMeError.timeout
      default: return MemeMeError.connection(error.code)
      }
    }
  }

  extension AnswerHead {
    fileprivate init(_ response: HTTPURLResponse) {
      let fields = response.allHeaderFields.compactMap { name, value in
        (name as? String).flatMap { name in (value as? String).map { (name: name, value: $0) } }
      }
      self.init(status: response.statusCode, fields: fields)
    }
  }
#endif
