import Foundation

/// A thread that ends what takes too long: handlers, and clients that send or read too slowly.
final class Inspector: Sendable {
  private static let intervalMilliseconds = 250
  /// Asking the system about each client is not free: once a second is often enough.
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

  /// Call it once; it returns when the thread has ended.
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
