import Foundation

/// A thread that ends handlers that take too long, and clients that send or read too slowly.
final class Inspector: Sendable {
  private static let intervalMilliseconds: Int32 = 250
  /// A thorough round asks the system about each client, which is not free. Once per second is enough.
  private static let roundsUntilThorough = 4

  private let registry: ConnectionRegistry
  private let stopping: WakeUp
  private let isOver = DispatchSemaphore(value: 0)

  init(_ registry: ConnectionRegistry) throws(DaemonError) {
    self.registry = registry
    stopping = try WakeUp()
  }

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
    var state = pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0)
    // On Linux, the timeout of a semaphore counts by the wall clock: if that was set back by an hour, the wait would
    // take an hour. A signal can interrupt poll, and the round is then early.
    while poll(&state, 1, Self.intervalMilliseconds) <= 0 {
      round += 1
      registry.inspect(
        now: .now, isThorough: registry.isDraining || round % Self.roundsUntilThorough == 0)
    }
  }
}
