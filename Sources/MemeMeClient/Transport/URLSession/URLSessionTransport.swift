#if !os(Linux)
  import Foundation

  /// Sends requests with URLSession, which uses the system's proxies, certificates and network interfaces.
  final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges = ExchangeTable()

    init() {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.httpCookieAcceptPolicy = .never
      configuration.urlCredentialStorage = nil
      // A long poll and an event stream occupy one connection each.
      configuration.httpMaximumConnectionsPerHost = 12
      session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // A session retains its delegate until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    func start(_ exchange: Exchange) {
      let task = session.task(exchange.request)
      exchanges.add(exchange, task)
      // The exchange may have ended before its task was registered.
      if exchange.isOver { end(exchange) } else { task.resume() }
    }

    func proceed(with exchange: Exchange) {
      // Runs after the callback that suspended the task, which may not have returned yet.
      session.delegateQueue.addOperation { [exchanges] in exchanges.task(of: exchange)?.resume() }
    }

    func end(_ exchange: Exchange) { exchanges.remove(exchange)?.cancel() }
  }

  extension URLSession {
    fileprivate func task(_ outgoing: OutgoingRequest) -> URLSessionTask {
      var request = URLRequest(url: outgoing.url)
      request.httpMethod = outgoing.method
      request.timeoutInterval = outgoing.silence / .seconds(1)
      for (name, value) in outgoing.fields { request.setValue(value, forHTTPHeaderField: name) }
      switch outgoing.body {
      case .none: break
      case .json(let json): request.httpBody = json
      case .file(let file, _): return uploadTask(with: request, fromFile: file.url)
      }
      return dataTask(with: request)
    }
  }
#endif
