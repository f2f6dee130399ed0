import Synchronization

/// The stage of a connection, and the deadline of that stage.
///
/// Both fit in one word, so that the connection's thread publishes them to the inspector with one store.
struct StageDeadline: RawRepresentable, Hashable, AtomicRepresentable {
  enum Stage: UInt64 {
    /// Connected, before the first request line. Over TLS, this includes the handshake.
    case new
    /// Between two requests.
    case idle
    /// The request line has arrived, but the head is not complete.
    case heading
    /// The client is sending the body.
    case receiving
    /// The server is handling the request, and does not wait for the client.
    case handling
    /// The server is sending the response.
    case sending
    /// The server is ending the connection. It resets the connection after the deadline.
    case ending

    /// Whether the server waits for the client to send data.
    var awaitsClient: Bool {
      switch self {
      case .new, .idle, .heading, .receiving: true
      case .handling, .sending, .ending: false
      }
    }
  }

  static let stageBits = 3

  let rawValue: UInt64

  init(rawValue: UInt64) { self.rawValue = rawValue }

  init(_ stage: Stage, until deadline: Moment) {
    rawValue = UInt64(clamping: deadline.nanoseconds) << Self.stageBits | stage.rawValue
  }

  var stage: Stage { Stage(rawValue: rawValue & (1 << Self.stageBits - 1)) ?? .ending }

  var deadline: Moment { Moment(nanoseconds: Int64(clamping: rawValue >> Self.stageBits)) }
}
