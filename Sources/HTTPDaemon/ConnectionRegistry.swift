import Foundation
import HTTP
import Synchronization

/// What every connection and exchange of a daemon shares, and the count of those that are not over.
final class ConnectionRegistry: Sendable {
  let configuration: DaemonConfiguration
  let service: any Service
  private let ids: RequestIDSource
  private let running = Atomic<Int>(0)
  private let streams = Atomic<Int>(0)
  private let connections = Atomic<Int>(0)
  private let shares = Mutex(ConnectionShares())
  private let hasWarned = Atomic<Bool>(false)
  private let accepted = Atomic<Int>(0)
  private let refused = Atomic<Int>(0)
  private let cuts = Mutex<[CutReason: Int]>([:])
  private let isClosing = Atomic<Bool>(false)
  private let clients = Mutex<Set<ByIdentity<Client>>>([])
  private let waiting = Mutex(Waiting())

  private struct Waiting {
    var exchanges: Set<ByIdentity<Exchange>> = []
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

  /// An answer that goes on begins to be sent.
  func beginStream() { streams.add(1, ordering: .relaxed) }
  func endStream() { streams.subtract(1, ordering: .relaxed) }

  /// Counts a connection, unless there are as many as may be. One of the last places ends the connection that has been silent
  /// longest, and one more than its network may have ends one of that network.
  ///
  /// Only the acceptor counts up, so that the limit is never passed.
  func admitConnection(from peer: String) -> Bool {
    let address = countedAddress(of: peer)
    guard address.map(hasShare) ?? true, hasPlace || makePlace() else { return false }
    if isCrowded, configuration.reservedConnections > 0 { _ = displace { _ in true } }
    if let address { shares.withLock { $0.add(address) } }
    connections.add(1, ordering: .relaxed)
    accepted.add(1, ordering: .relaxed)
    return true
  }

  /// Whether a network may have one more, perhaps for one of its own, or of its site, that ends.
  private func hasShare(_ address: IPAddress) -> Bool {
    let most = configuration.maximumConnectionsOfNetwork
    let excess = shares.withLock { $0.excess(of: address, above: most) }
    guard max(excess.network, excess.site) >= 0 else { return true }
    // Those that were told to end are still counted for a moment.
    guard max(excess.network, excess.site) < Self.endingConnectionsOfNetwork else { return false }
    let isOfNetwork = excess.network >= 0
    return displace { client in
      guard let other = countedAddress(of: client.peer) else { return false }
      return isOfNetwork ? other.network == address.network : other.site == address.site
    }
  }

  private static let endingConnectionsOfNetwork = 8

  /// The time that the first head of a new connection has.
  var headSeconds: Double {
    let seconds = configuration.deadlines.headSeconds
    return isCrowded ? min(seconds, Self.crowdedHeadSeconds) : seconds
  }

  private static let crowdedHeadSeconds = 2.0

  /// Whether only the last places are free.
  private var isCrowded: Bool {
    connections.load(ordering: .relaxed)
      >= configuration.maximumConnections - configuration.reservedConnections
  }

  private var hasPlace: Bool {
    connections.load(ordering: .relaxed) < configuration.maximumConnections
  }

  /// Ends a silent connection, if there is one, and waits until it is over, which takes a moment.
  private func makePlace() -> Bool {
    for _ in 0..<500 where !hasPlace {
      guard waitForEnd() else { return false }
    }
    return hasPlace
  }

  /// Ends a silent connection unless another one is about to end, and waits for two milliseconds.
  ///
  /// - Returns: whether one may end; without waiting if none will.
  func waitForEnd() -> Bool {
    guard configuration.reservedConnections > 0 else { return false }
    let known = clients.withLock { clients in
      (count: clients.count, areEnding: clients.contains { $0.object.isEnding })
    }
    // One that was just accepted is not known yet.
    let mayWait =
      known.areEnding || displace { _ in true }
      || known.count < connections.load(ordering: .relaxed)
    if mayWait { usleep(2000) }
    return mayWait
  }

  /// Ends the connection that has been between two requests for longest, or else before its first one.
  ///
  /// - Returns: whether there was one.
  private func displace(where mayEnd: (Client) -> Bool) -> Bool {
    let silent = clients.withLock { clients in
      clients.lazy.map(\.object).filter(mayEnd).min { $0.silence < $1.silence }
    }
    return silent?.displace(now: .now, count: count) ?? false
  }

  /// `nil` if the connections of a client are not counted: a proxy has those of all its clients.
  private func countedAddress(of peer: String) -> IPAddress? {
    guard let address = IPAddress(peer), !address.isLoopback,
      !configuration.trustedProxies.isTrusted(address)
    else { return nil }
    return address
  }

  /// Says once that a proxy stands in front and is not named: all its clients are one.
  func warnOfUnnamedProxy() {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    configuration.warn(
      "a request has X-Forwarded-For, and MEMEME_TRUSTED_PROXIES is empty: all clients of that proxy count as one"
    )
  }

  /// Counts a connection that was turned away.
  func refuseConnection() { refused.add(1, ordering: .relaxed) }

  /// A connection that was admitted could not be served, or is over.
  func disconnected(from peer: String) {
    connections.subtract(1, ordering: .relaxed)
    if let address = countedAddress(of: peer) { shares.withLock { $0.remove(address) } }
  }

  func connected(_ client: Client) { clients.withLock { _ = $0.insert(ByIdentity(client)) } }

  func disconnected(_ client: Client) {
    client.closed()
    clients.withLock { _ = $0.remove(ByIdentity(client)) }
    disconnected(from: client.peer)
  }

  /// Refuses the requests of this thread whose length libmicrohttpd 0.9 is about to refuse.
  ///
  /// It writes the head of its own refusal twice, one in the other. Before it does, it has a line to log, and names no connection.
  func refuseLengths() {
    for client in clients.withLock({ $0 }) where client.object.isOnItsThread {
      guard let (exchange, connection) = client.object.heading else { continue }
      exchange.takeUnretainedValue().refuseLength(on: connection)
    }
  }

  /// Lets an exchange wait for its handler or its stream, suspended.
  ///
  /// - Returns: `false` after ``close()``: libmicrohttpd would abort the process where it stops with it.
  func beginWaiting(_ exchange: Exchange) -> Bool {
    waiting.withLock { waiting in
      guard !waiting.isClosed else { return false }
      waiting.exchanges.insert(ByIdentity(exchange))
      return true
    }
  }

  func endWaiting(_ exchange: Exchange) {
    waiting.withLock { _ = $0.exchanges.remove(ByIdentity(exchange)) }
  }

  /// Ends clients that are too slow, and exchanges that take too long or that nobody waits for any more.
  func inspect(now: Moment, isThorough: Bool) {
    for exchange in waiting.withLock({ $0.exchanges }) {
      exchange.object.inspect(now: now, isThorough: isThorough)
    }
    let isDraining = isDraining
    for client in clients.withLock({ $0 }) {
      client.object.inspect(
        now: now, isThorough: isThorough, isDraining: isDraining, count: count)
    }
  }

  /// Counts a connection that was ended for its slowness.
  func count(_ reason: CutReason) { cuts.withLock { $0[reason, default: 0] += 1 } }

  /// Ends everyone's wait, handlers' with 503, and lets nobody wait from here on.
  func close() {
    let rest = waiting.withLock { waiting in
      waiting.isClosed = true
      return waiting.exchanges
    }
    for exchange in rest {
      exchange.object.endStream(isAbandoned: false)
      exchange.object.expire("The server is shutting down.")
    }
  }

  var statistics: DaemonStatistics {
    DaemonStatistics(
      openConnections: connections.load(ordering: .relaxed),
      acceptedConnections: accepted.load(ordering: .relaxed),
      refusedConnections: refused.load(ordering: .relaxed),
      cutConnections: cuts.withLock { $0 }, runningRequests: running.load(ordering: .relaxed),
      openStreams: streams.load(ordering: .relaxed))
  }
}

/// An object that is itself and no other, as a set wants it.
private struct ByIdentity<Object: AnyObject & Sendable>: Hashable, Sendable {
  let object: Object

  init(_ object: Object) { self.object = object }

  static func == (left: Self, right: Self) -> Bool { left.object === right.object }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
