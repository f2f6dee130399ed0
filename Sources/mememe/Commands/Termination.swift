import Foundation
import Synchronization

/// Waits for SIGTERM or SIGINT. After `init`, the first of these signals does not end the process.
///
/// The second signal ends the process at once, even if work is still running: pressing Control-C again
/// must always work.
struct Termination {
  private let sources: [any DispatchSourceSignal]
  private let signals: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    let (signals, continuation) = AsyncStream.makeStream(of: String.self)
    (self.signals, self.continuation) = (signals, continuation)
    let counter = Counter()
    // A separate queue, because the global queues may be busy with the work that the signal is to stop.
    let queue = DispatchQueue(label: "signals")
    sources = [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")].map { number, name in
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if counter.isFirst() {
          continuation.yield(name)
        } else {
          // The exit code that a shell reports for a process ended by this signal.
          _exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }

  /// Ends the program like a signal.
  var stop: @Sendable () -> Void { { [continuation] in continuation.finish() } }

  /// Waits for the first signal.
  ///
  /// - Returns: its name; `nil` if ``stop`` was called.
  func signal() async -> String? {
    for await name in signals { return name }
    return nil
  }

  private final class Counter: Sendable {
    private let wasAsked = Atomic<Bool>(false)

    func isFirst() -> Bool { !wasAsked.exchange(true, ordering: .relaxed) }
  }
}
