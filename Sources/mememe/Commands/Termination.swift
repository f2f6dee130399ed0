import Foundation
import Synchronization

/// Waits for SIGTERM or SIGINT. From its making on, the first of them does not end the process, and SIGPIPE never does.
///
/// The second ends it at once, whatever is still going on: for a person who presses Control-C again.
struct Termination {
  private let sources: [any DispatchSourceSignal]
  private let signals: AsyncStream<String>

  init() {
    // A client that went away is an error of its write, not of the process.
    Foundation.signal(SIGPIPE, SIG_IGN)
    let (signals, continuation) = AsyncStream.makeStream(of: String.self)
    let counter = Counter()
    // A queue of its own: the global ones may be busy with what is to be ended.
    let queue = DispatchQueue(label: "signals")
    sources = [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")].map { number, name in
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if counter.isFirst() {
          continuation.yield(name)
        } else {
          // As the shell tells of a process that a signal ended.
          _exit(128 + number)
        }
      }
      source.resume()
      return source
    }
    self.signals = signals
  }

  /// The name of the first signal that comes.
  func signal() async -> String {
    for await name in signals { return name }
    return "none"
  }

  private final class Counter: Sendable {
    private let wasAsked = Atomic<Bool>(false)

    func isFirst() -> Bool { !wasAsked.exchange(true, ordering: .relaxed) }
  }
}
