import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URLSession, and what is on its way there: each numbers its tasks by itself.
final class TransportLine: Sendable {
  let session: URLSession
  let exchanges = ExchangeTable()

  init(_ configuration: URLSessionConfiguration) {
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  // A session holds its delegate until it is told that it is over.
  deinit { session.finishTasksAndInvalidate() }
}
