import Foundation

/// Ignores and logs signals that would terminate the server by default and that have no meaning for it. Log rotation
/// and service managers send them.
struct IgnoredSignals {
  private let sources: [any DispatchSourceSignal]

  init(_ log: Log) {
    let queue = DispatchQueue(label: "ignored signals")
    sources = [(SIGHUP, "SIGHUP"), (SIGUSR1, "SIGUSR1"), (SIGUSR2, "SIGUSR2")].map { number, name in
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        log.write(.info, "ignoring a signal that has no effect", [("signal", .text(name))])
      }
      source.resume()
      return source
    }
  }
}
