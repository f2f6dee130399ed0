import Foundation
import Synchronization

/// The remote end of a connection, for as long as the connection exists.
///
/// The connection's thread publishes the current stage and its deadline. The ``Inspector`` checks whether
/// the deadline has passed. libmicrohttpd's own timeout counts only silence, so a client that sends one
/// byte per second would never time out.
final class Client: Sendable {
  /// The client's address, as text.
  let peer: String
  private let began = Moment.now
  private let thread = ObjectIdentifier(Thread.current)
  /// The request whose head is not complete yet.
  // Accessed only on the connection's thread. refuseHeads() runs on any thread, but checks `isOnItsThread` first.
  nonisolated(unsafe) var heading: (exchange: Unmanaged<Exchange>, connection: Connection)?
  private let watch: Atomic<StageDeadline>
  private let cutFor = Atomic<UInt8>(0)
  /// Whether the daemon itself ended reading. From then on, the system reports the end of the stream
  /// although the client is still connected.
  private let isReadingEnded = Atomic<Bool>(false)
  /// `nil` once libmicrohttpd is about to close the socket. From then on, another
  /// file may get the same descriptor number.
  private let socket: Mutex<Int32?>

  /// How long the server waits for a client to disconnect, before it resets an ending connection.
  private static let endingSeconds = 2.0

  /// - Parameter deadline: the deadline for the head of the connection's first request.
  init(peer: String, socket: Int32?, deadline: Moment) {
    self.peer = peer
    watch = Atomic(StageDeadline(.new, until: deadline))
    self.socket = Mutex(socket)
  }

  /// Sets the stage and its deadline. Call it only on the connection's thread.
  func expect(_ stage: StageDeadline.Stage, until deadline: Moment) {
    watch.store(StageDeadline(stage, until: deadline), ordering: .relaxed)
  }

  /// Expects the rest of a head after its request line. The first request of a connection also keeps the
  /// deadline that began with the connection.
  func expectHead(until deadline: Moment) {
    let current = watch.load(ordering: .relaxed)
    expect(.heading, until: current.stage == .new ? min(current.deadline, deadline) : deadline)
  }

  /// Why the server ended the connection, or `nil` if it did not.
  var cutReason: CutReason? { CutReason(rawValue: cutFor.load(ordering: .relaxed)) }

  /// Makes the system drop the connection if the client acknowledges no sent bytes for this long.
  ///
  /// By default, the system retries for about 15 minutes. Without this limit, a client that leaves its network without
  /// closing the connection would hold a stream for that long.
  func giveUp(afterSilence seconds: Double) {
    #if canImport(Glibc)
      var milliseconds = UInt32(min(seconds * 1000, 1e9))
      let size = socklen_t(MemoryLayout<UInt32>.size)
      withSocket {
        setsockopt($0, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, size)
      }
    #endif
  }

  /// Whether the calling thread is the one that serves the connection.
  var isOnItsThread: Bool { thread == ObjectIdentifier(Thread.current) }

  /// Forgets the socket, because libmicrohttpd closes it next.
  func closed() { socket.withLock { $0 = nil } }

  /// Ends the connection if the client takes too long, or has disconnected without libmicrohttpd noticing.
  ///
  /// - Parameters:
  ///   - isThorough: whether to ask the system if the client has disconnected.
  ///   - isDraining: whether the server accepts no further requests.
  ///   - count: called with the reason, before the connection is cut for slowness.
  func inspect(
    now: Moment, isThorough: Bool, isDraining: Bool, count: (CutReason) -> Void
  ) {
    let seen = watch.load(ordering: .relaxed)
    if now >= seen.deadline {
      end(seen, now, for: CutReason(stage: seen.stage), count: count)
    } else if isDraining, seen.stage == .idle {
      // The server still answers a request that has already arrived.
      withSocket { if Self.peek($0) != .something { endReading($0) } }
    } else if isThorough, seen.stage.awaitsClient {
      // If data and the end of the stream arrive together, libmicrohttpd reads the data and may never notice the end.
      withSocket { if Self.peek($0) == .end { shutdown($0, Int32(SHUT_RD)) } }
    }
  }

  /// Whether the client has disconnected or will send nothing more. libmicrohttpd does
  /// not check this while a handler runs.
  var isGone: Bool {
    socket.withLock { socket in
      guard let socket else { return true }
      return !isReadingEnded.load(ordering: .relaxed) && Self.isEnded(socket)
    }
  }

  /// Makes all further writes to the socket fail.
  func endWriting() { withSocket { shutdown($0, Int32(SHUT_WR)) } }

  /// The order in which silent connections end in favor of others: the lowest value ends first.
  var silence: (stage: Int, since: Moment) {
    let seen = watch.load(ordering: .relaxed)
    return switch seen.stage {
    case .idle: (0, seen.deadline)
    // Not the deadline: it is earlier for a client that connected when nearly all places were taken.
    case .new: (1, began)
    case .heading: (2, seen.deadline)
    case .receiving, .handling, .sending, .ending: (3, seen.deadline)
    }
  }

  /// Whether the server is ending the connection.
  var isEnding: Bool { watch.load(ordering: .relaxed).stage == .ending }

  /// Ends the connection in favor of another one, if the client has not sent the complete head of its next request.
  ///
  /// - Parameter count: called with the reason, if the connection is ended.
  /// - Returns: whether the connection was ended for this reason.
  func displace(now: Moment, count: (CutReason) -> Void) -> Bool {
    let seen = watch.load(ordering: .relaxed)
    switch seen.stage {
    case .idle, .new, .heading:
      end(seen, now, for: .displaced, count: count)
      return cutReason == .displaced
    case .receiving, .handling, .sending, .ending: return false
    }
  }

  private func end(
    _ seen: StageDeadline, _ now: Moment, for reason: CutReason?, count: (CutReason) -> Void
  ) {
    let next = StageDeadline(.ending, until: now.after(seconds: Self.endingSeconds))
    // The stage has changed since: the client made progress in time.
    guard watch.compareExchange(expected: seen, desired: next, ordering: .relaxed).exchanged else {
      return
    }
    if let reason {
      cutFor.store(reason.rawValue, ordering: .relaxed)
      count(reason)
    }
    withSocket { socket in
      if seen.stage.awaitsClient {
        // libmicrohttpd reads the end of the stream, and the exchange can still send the reason.
        endReading(socket)
      } else {
        // Without a reset, the system would keep unsent data until the client reads it.
        var abort = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &abort, size)
        shutdown(socket, Int32(SHUT_RDWR))
      }
    }
  }

  /// Makes libmicrohttpd read the data that has arrived, then the end of the stream. That data may include a
  /// request that arrives at this moment.
  private func endReading(_ socket: Int32) {
    isReadingEnded.store(true, ordering: .relaxed)
    shutdown(socket, Int32(SHUT_RD))
  }

  private func withSocket(_ body: (Int32) -> Void) {
    socket.withLock { if let socket = $0 { body(socket) } }
  }

  /// Whether the client has ended the connection or its half of it, even if bytes from before that are not read yet:
  /// the end of a TLS session, or the beginning of another request.
  private static func isEnded(_ socket: Int32) -> Bool {
    #if os(Linux)
      var state = pollfd(fd: socket, events: halfClosed, revents: 0)
      return poll(&state, 1, 0) > 0
    #else
      return peek(socket) == .end
    #endif
  }

  #if os(Linux)
    /// POLLRDHUP, which Swift does not import.
    private static let halfClosed: Int16 = 0x2000
  #endif

  private enum Arrival { case nothing, something, end }

  private static func peek(_ socket: Int32) -> Arrival {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count > 0 { return .something }
    let isOpen = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
    return isOpen ? .nothing : .end
  }
}

extension CutReason {
  fileprivate init?(stage: StageDeadline.Stage) {
    switch stage {
    case .new, .heading: self = .slowHead
    case .idle: self = .silent
    case .receiving: self = .slowBody
    case .sending: self = .slowReader
    case .handling, .ending: return nil
    }
  }
}
