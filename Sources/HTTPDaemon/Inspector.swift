import Foundation

/// A thread that ends handlers that take too long, and clients that send or read too slowly.
final class Inspector: Sendable {
  private static let intervalMilliseconds = 250
  /// A thorough round asks the system about each client, which is not free. Once per second is enough.
  private static let roundsUntilThorough = 4

  private let registry: ConnectionRegistry
  private let stopping = DispatchSemaphore(value: 0)
  private let isOver = DispatchSemaphore(value: 0)

  init(_ registry: ConnectionRegistry) { self.registry = registry }

  func start() {
    let thread = Thread { [self] in
      run()
      isOver.signal()
    }
    thread.name = "inspect"
    thread.start()
  }

  /// Stops the thread. Call it once; it returns when the thread has ended.
  func stop() {
    stopping.signal()
    isOver.wait()
  }

  private func run() {
    var round = 0
    while stopping.wait(timeout: .now() + .milliseconds(Self.intervalMilliseconds)) == .timedOut {
      round += 1
      registry.inspect(
        now: .now, isThorough: registry.isDraining || round % Self.roundsUntilThorough == 0)
    }
  }
}
