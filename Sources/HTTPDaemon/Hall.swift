import HTTP
import Synchronization

/// What every exchange of a daemon shares, and the count of those that are not over.
final class Hall: Sendable {
  let configuration: DaemonConfiguration
  let service: any Service
  private let ids: RequestIDSource
  private let running = Atomic<Int>(0)
  private let connections = Atomic<Int>(0)
  private let isClosing = Atomic<Bool>(false)
  private let waiting = Mutex(Waiting())

  private struct Waiting {
    var exchanges: [ObjectIdentifier: Exchange] = [:]
    var isClosed = false
  }

  init(
    configuration: DaemonConfiguration, service: any Service, ids: RequestIDSource
  ) {
    (self.configuration, self.service, self.ids) = (configuration, service, ids)
  }

  func makeID() -> RequestID { ids.make() }

  /// Whether every response ends its connection, since the daemon is about to stop.
  var isDraining: Bool {
    get { isClosing.load(ordering: .relaxed) }
    set { isClosing.store(newValue, ordering: .relaxed) }
  }

  /// How many requests have begun and are not completed.
  var runningCount: Int { running.load(ordering: .acquiring) }

  func enter() { running.add(1, ordering: .relaxed) }
  func leave() { running.subtract(1, ordering: .releasing) }

  /// Counts a connection, unless there are as many as may be.
  ///
  /// Only the acceptor counts up, so that the limit is never passed.
  func admitConnection() -> Bool {
    guard connections.load(ordering: .relaxed) < configuration.maximumConnections else {
      return false
    }
    connections.add(1, ordering: .relaxed)
    return true
  }

  func disconnected() { connections.subtract(1, ordering: .relaxed) }

  /// Lets an exchange wait for its handler, suspended.
  ///
  /// - Returns: `false` after ``close()``: libmicrohttpd would abort the process where it stops with it.
  func beginWaiting(_ exchange: Exchange) -> Bool {
    waiting.withLock { waiting in
      guard !waiting.isClosed else { return false }
      waiting.exchanges[ObjectIdentifier(exchange)] = exchange
      return true
    }
  }

  func endWaiting(_ exchange: Exchange) {
    waiting.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  /// Looks after those that wait: cancels what nobody waits for any more, ends what takes too long.
  func inspect(now: ContinuousClock.Instant) {
    for exchange in waiting.withLock({ Array($0.exchanges.values) }) { exchange.inspect(now: now) }
  }

  /// Ends everyone's wait with 503, and lets nobody wait from here on.
  func close() {
    let rest = waiting.withLock { waiting in
      waiting.isClosed = true
      return Array(waiting.exchanges.values)
    }
    for exchange in rest { exchange.expire("The server is shutting down.") }
  }
}
