import Dispatch
import Foundation

/// Waits for SIGTERM or SIGINT. From its making on, neither ends the process by itself, and SIGPIPE is ignored.
struct Termination {
  private let sources: [any DispatchSourceSignal]
  private let signals: AsyncStream<String>

  init() {
    // A client that went away is an error of its write, not of the process.
    Foundation.signal(SIGPIPE, SIG_IGN)
    let (signals, continuation) = AsyncStream.makeStream(of: String.self)
    sources = [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")].map { number, name in
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(name) }
      source.resume()
      return source
    }
    self.signals = signals
  }

  /// The name of the first signal that comes.
  func signal() async -> String {
    defer { withExtendedLifetime(sources) {} }
    for await name in signals { return name }
    return "none"
  }
}
