import Synchronization

/// What a connection's client is waited for, and until when.
///
/// Both are one word, so that the thread that serves the connection tells the inspector with one store.
struct Watch: RawRepresentable, Hashable, AtomicRepresentable {
  enum Stage: UInt64 {
    /// Connected, with nothing said yet; over TLS that is also the handshake.
    case new
    /// Between two requests.
    case idle
    /// The request line is there, the head is not complete.
    case heading
    /// The body comes.
    case receiving
    /// The server is at work: nobody waits for the client.
    case handling
    /// The answer goes out.
    case sending
    /// Told to end. Still there after its deadline, it is reset.
    case ending

    /// Whether nothing happens before the client sends something.
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
