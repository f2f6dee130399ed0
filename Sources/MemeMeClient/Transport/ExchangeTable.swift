import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What URLSession calls: it hands each callback to the exchange that it is about.
final class ExchangeTable: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: Exchange]>([:])

  func add(_ exchange: Exchange, _ task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  @discardableResult
  func remove(_ task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  private subscript(_ task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
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
    remove(dataTask)
    dataTask.cancel()
  }

  /// Nothing is followed: the server sends nobody elsewhere, and what the request shows is for it alone.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Certificates are looked at as the system does. Nobody has a name and a password for a challenge; it is an answer.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Here the whole answer has come before the challenge, and default handling would never end.
      remove(task)?.ended(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      let method = challenge.protectionSpace.authenticationMethod
      let isAboutCertificates =
        method == NSURLAuthenticationMethodServerTrust
        || method == NSURLAuthenticationMethodClientCertificate
      completionHandler(isAboutCertificates ? .performDefaultHandling : .rejectProtectionSpace, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    remove(task)?.ended(error.map(Self.failure))
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
