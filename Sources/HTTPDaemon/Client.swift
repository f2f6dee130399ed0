import Foundation
import Synchronization

/// The other end of a connection, from its beginning to its end.
///
/// The thread that serves the connection says what it waits for and until when; the ``Inspector`` looks whether that
/// time is over. libmicrohttpd itself counts nothing but silence, so that one byte a second keeps it waiting for ever.
final class Client: Sendable {
  /// The address, as text.
  let peer: String
  private let began = Moment.now
  private let thread = ObjectIdentifier(Thread.current)
  /// The request whose head is not complete yet.
  // Touched on the thread that serves the connection only: the one that made the client.
  nonisolated(unsafe) var heading: (exchange: Unmanaged<Exchange>, connection: Connection)?
  private let watch: Atomic<Watch>
  private let cutFor = Atomic<UInt8>(0)
  /// Whether the daemon itself ended reading: from then on the system says "end" of a client that is still there.
  private let isReadingEnded = Atomic<Bool>(false)
  /// `nil` when libmicrohttpd is about to close it: from then on the number may be somebody else's.
  private let socket: Mutex<Int32?>

  /// How long a client that was told to end may still be there before it is reset.
  private static let endingSeconds = 2.0

  /// - Parameter deadline: until when the head of its first request is complete.
  init(peer: String, socket: Int32?, deadline: Moment) {
    self.peer = peer
    watch = Atomic(Watch(.new, until: deadline))
    self.socket = Mutex(socket)
  }

  /// Says what is waited for. On the thread that serves the connection.
  func expect(_ stage: Watch.Stage, until deadline: Moment) {
    watch.store(Watch(stage, until: deadline), ordering: .relaxed)
  }

  /// A request line is there. The head of a connection's first request has what is left of its time.
  func expectHead(until deadline: Moment) {
    let current = watch.load(ordering: .relaxed)
    expect(.heading, until: current.stage == .new ? min(current.deadline, deadline) : deadline)
  }

  /// Why the inspector ended it; `nil` where it did not.
  var cutReason: CutReason? { CutReason(rawValue: cutFor.load(ordering: .relaxed)) }

  /// Has the system give the connection up where it gets no word of bytes that it has sent for so long.
  ///
  /// By itself it goes on for a quarter of an hour. Who leaves its network without a goodbye keeps a stream for that time otherwise.
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

  /// libmicrohttpd closes the socket next.
  func closed() { socket.withLock { $0 = nil } }

  /// Ends the connection where its client takes too long, or has gone without libmicrohttpd's noticing.
  ///
  /// - Parameters:
  ///   - isThorough: whether to ask the system if the client has gone.
  ///   - isDraining: whether nobody may begin another request.
  ///   - count: told why, before it is cut for its slowness.
  func inspect(
    now: Moment, isThorough: Bool, isDraining: Bool, count: (CutReason) -> Void
  ) {
    let seen = watch.load(ordering: .relaxed)
    if now >= seen.deadline {
      end(seen, now, for: CutReason(stage: seen.stage), count: count)
    } else if isDraining, seen.stage == .idle {
      // A request that has arrived in the meantime is still answered.
      withSocket { if Self.peek($0) != .something { endReading($0) } }
    } else if isThorough, seen.stage.awaitsClient {
      // Where data and the end arrive together, libmicrohttpd reads the data and may never hear of the end.
      withSocket { if Self.peek($0) == .end { shutdown($0, Int32(SHUT_RD)) } }
    }
  }

  /// Whether it has gone, or will send nothing more. libmicrohttpd does not look while a handler runs.
  var isGone: Bool {
    socket.withLock { socket in
      guard let socket else { return true }
      return !isReadingEnded.load(ordering: .relaxed) && Self.peek(socket) == .end
    }
  }

  /// Has every byte that is sent from here on fail.
  func endWriting() { withSocket { shutdown($0, Int32(SHUT_WR)) } }

  /// The order in which silent connections are ended for others: the first one has the lowest value.
  var silence: (stage: Int, since: Moment) {
    let seen = watch.load(ordering: .relaxed)
    return switch seen.stage {
    case .idle: (0, seen.deadline)
    // Its deadline is earlier if it came when nearly all places were taken.
    case .new: (1, began)
    case .heading: (2, seen.deadline)
    case .receiving, .handling, .sending, .ending: (3, seen.deadline)
    }
  }

  /// Whether it is about to end.
  var isEnding: Bool { watch.load(ordering: .relaxed).stage == .ending }

  /// Ends the connection for another one, if nothing but the client is waited for.
  ///
  /// - Parameter count: told that it was.
  /// - Returns: whether it was.
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
    _ seen: Watch, _ now: Moment, for reason: CutReason?, count: (CutReason) -> Void
  ) {
    let next = Watch(.ending, until: now.after(seconds: Self.endingSeconds))
    // The client made it in the last moment.
    guard watch.compareExchange(expected: seen, desired: next, ordering: .relaxed).exchanged else {
      return
    }
    if let reason {
      cutFor.store(reason.rawValue, ordering: .relaxed)
      count(reason)
    }
    withSocket { socket in
      if seen.stage.awaitsClient {
        // libmicrohttpd reads an end, and the exchange can still say why.
        endReading(socket)
      } else {
        // What waits to be sent would stay with the system until the client takes it.
        var abort = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &abort, size)
        shutdown(socket, Int32(SHUT_RDWR))
      }
    }
  }

  /// libmicrohttpd reads what has arrived, and then an end. A request that arrives at this moment may be among it.
  private func endReading(_ socket: Int32) {
    isReadingEnded.store(true, ordering: .relaxed)
    shutdown(socket, Int32(SHUT_RD))
  }

  private func withSocket(_ body: (Int32) -> Void) {
    socket.withLock { if let socket = $0 { body(socket) } }
  }

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
  fileprivate init?(stage: Watch.Stage) {
    switch stage {
    case .new, .heading: self = .slowHead
    case .idle: self = .silent
    case .receiving: self = .slowBody
    case .sending: self = .slowReader
    case .handling, .ending: return nil
    }
  }
}
