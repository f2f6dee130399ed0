import Foundation
import HTTP
import Synchronization

/// The state that all connections and exchanges of a daemon share, and the counts of those in progress.
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
    /// By the numbers of their waits. One exchange may begin a wait before its previous wait is removed.
    var exchanges: [UInt64: Exchange] = [:]
    var last: UInt64 = 0
    var isClosed = false
  }

  init(
    configuration: DaemonConfiguration, service: any Service, ids: RequestIDSource
  ) {
    (self.configuration, self.service, self.ids) = (configuration, service, ids)
  }

  func makeID() -> RequestID { ids.make() }

  /// Whether every response closes its connection, because the daemon is about to stop.
  var isDraining: Bool {
    get { isClosing.load(ordering: .relaxed) }
    set { isClosing.store(newValue, ordering: .relaxed) }
  }

  /// The number of requests that have begun and are not complete.
  var runningCount: Int { running.load(ordering: .acquiring) }

  func enter() { running.add(1, ordering: .relaxed) }
  func leave() { running.subtract(1, ordering: .releasing) }

  /// Counts a streaming response when it begins.
  func beginStream() { streams.add(1, ordering: .relaxed) }
  func endStream() { streams.subtract(1, ordering: .relaxed) }

  /// Admits and counts a connection, unless a limit is reached.
  ///
  /// If only reserved places are left, this ends the connection that has been silent longest. If the network or site is
  /// at its limit, this ends one of its own connections.
  ///
  /// Only the acceptor adds to the count, so the limit is never exceeded.
  func admitConnection(from peer: String) -> Bool {
    let address = countedAddress(of: peer)
    guard address.map(hasShare) ?? true, hasPlace || makePlace() else { return false }
    if isCrowded { _ = displace { _ in true } }
    if let address { shares.withLock { $0.add(address) } }
    connections.add(1, ordering: .relaxed)
    accepted.add(1, ordering: .relaxed)
    return true
  }

  /// Whether a network may have another connection. If necessary, this ends a silent
  /// connection of the same network or site.
  private func hasShare(_ address: IPAddress) -> Bool {
    let most = configuration.maximumConnectionsOfNetwork
    let excess = shares.withLock { $0.excess(of: address, above: most) }
    guard max(excess.network, excess.site) >= 0 else { return true }
    // Connections that are ending still count for a moment.
    guard max(excess.network, excess.site) < Self.endingConnectionsOfNetwork else { return false }
    let isOfNetwork = excess.network >= 0
    return displace { client in
      guard let other = countedAddress(of: client.peer) else { return false }
      return isOfNetwork ? other.network == address.network : other.site == address.site
    }
  }

  private static let endingConnectionsOfNetwork = 8

  /// How long a new connection may take to send its first head.
  var headSeconds: Double {
    let seconds = configuration.deadlines.headSeconds
    return isCrowded ? min(seconds, Self.crowdedHeadSeconds) : seconds
  }

  private static let crowdedHeadSeconds = 2.0

  /// Whether only reserved places are free. A limit below 4 reserves none.
  private var isCrowded: Bool {
    let reserved = configuration.reservedConnections
    return reserved > 0
      && connections.load(ordering: .relaxed) >= configuration.maximumConnections - reserved
  }

  private var hasPlace: Bool {
    connections.load(ordering: .relaxed) < configuration.maximumConnections
  }

  /// Ends silent connections, if any exist, until a place is free. This takes one second at most.
  private func makePlace() -> Bool {
    for _ in 0..<500 where !hasPlace {
      guard waitForEnd() else { return false }
    }
    return hasPlace
  }

  /// Ends a silent connection, unless another one is already ending, and waits for two milliseconds.
  ///
  /// - Returns: whether a connection may end soon. If not, this returns without waiting.
  func waitForEnd() -> Bool {
    guard configuration.reservedConnections > 0 else { return false }
    let known = clients.withLock { clients in
      (count: clients.count, areEnding: clients.contains { $0.object.isEnding })
    }
    // A connection that was just accepted is not among the clients yet.
    let mayWait =
      known.areEnding || displace { _ in true }
      || known.count < connections.load(ordering: .relaxed)
    if mayWait { usleep(2000) }
    return mayWait
  }

  /// Ends the connection that has been idle between requests the longest. If none is idle, this ends
  /// one that has not sent a complete head.
  ///
  /// - Returns: whether a connection was ended.
  private func displace(where mayEnd: (Client) -> Bool) -> Bool {
    let silent = clients.withLock { clients in
      clients.lazy.map(\.object).filter(mayEnd).min { $0.silence < $1.silence }
    }
    return silent?.displace(now: .now, count: count) ?? false
  }

  /// The address to count a client's connections under.
  ///
  /// - Returns: `nil` if the address does not count: it is invalid, loopback, or that of a trusted proxy, which holds
  ///   the connections of all its clients.
  private func countedAddress(of peer: String) -> IPAddress? {
    guard let address = IPAddress(peer), !address.isLoopback,
      !configuration.trustedProxies.isTrusted(address)
    else { return nil }
    return address
  }

  /// Warns once about a proxy that is not configured: all its clients count as one.
  func warnOfUnnamedProxy() {
    guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
    configuration.warn(
      "a request has X-Forwarded-For, but MEMEME_TRUSTED_PROXIES is empty: all clients of that proxy share one rate limit"
    )
  }

  /// Counts a refused connection.
  func refuseConnection() { refused.add(1, ordering: .relaxed) }

  /// Removes an admitted connection from the counts, because it has ended or could not be served.
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

  /// Refuses the requests of this thread whose length or cookies libmicrohttpd 0.9 is about to refuse.
  ///
  /// libmicrohttpd would write the head of its own response twice, one inside the other. It logs a message first, but
  /// that message does not name the connection.
  func refuseHeads() {
    for client in clients.withLock({ $0 }) where client.object.isOnItsThread {
      guard let (exchange, connection) = client.object.heading else { continue }
      exchange.takeUnretainedValue().refuseHead(on: connection)
    }
  }

  /// Registers an exchange that waits, suspended, for its handler or its stream.
  ///
  /// - Returns: `nil` after ``close()``. libmicrohttpd aborts the process if it stops while a connection is suspended.
  func beginWaiting(_ exchange: Exchange, on connection: Connection) -> Exchange.Wait? {
    waiting.withLock { waiting in
      guard !waiting.isClosed else { return nil }
      waiting.last += 1
      waiting.exchanges[waiting.last] = exchange
      return Exchange.Wait(connection: connection, number: waiting.last)
    }
  }

  /// Call it after the connection is resumed, so that ``close()`` does not miss one that is still suspended.
  func endWaiting(_ wait: Exchange.Wait) {
    waiting.withLock { _ = $0.exchanges.removeValue(forKey: wait.number) }
  }

  /// Ends clients that are too slow, handlers that take too long, and exchanges whose client has disconnected.
  func inspect(now: Moment, isThorough: Bool) {
    for exchange in waiting.withLock({ $0.exchanges }).values {
      exchange.inspect(now: now, isThorough: isThorough)
    }
    let isDraining = isDraining
    for client in clients.withLock({ $0 }) {
      client.object.inspect(
        now: now, isThorough: isThorough, isDraining: isDraining, count: count)
    }
  }

  /// Counts a connection that the server ended.
  func count(_ reason: CutReason) { cuts.withLock { $0[reason, default: 0] += 1 } }

  /// Ends all waits and rejects new ones. The clients of waiting handlers get a 503.
  func close() {
    let rest = waiting.withLock { waiting in
      waiting.isClosed = true
      return waiting.exchanges
    }
    for exchange in rest.values {
      exchange.endStream(isAbandoned: false)
      exchange.expire("The server is shutting down.")
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

/// Wraps an object so that a set compares it by identity.
private struct ByIdentity<Object: AnyObject & Sendable>: Hashable, Sendable {
  let object: Object

  init(_ object: Object) { self.object = object }

  static func == (left: Self, right: Self) -> Bool { left.object === right.object }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
