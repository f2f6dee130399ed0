import Foundation
package import HTTP
import Synchronization

/// Serves a `Service` over HTTP/1.1.
///
/// A request's handler runs on the thread that read the request, until the handler first suspends. Then the connection
/// is suspended, and the thread serves other connections.
package final class Daemon: Sendable {
  private let registry: ConnectionRegistry
  private let parts = Mutex<Parts?>(nil)

  private struct Parts {
    let listener: Listener
    let workers: [Worker]
    let acceptor: Acceptor
    let inspector: Inspector
  }

  /// - Parameters:
  ///   - service: called on the daemon's threads.
  ///   - seed: the start of the sequence of request ids.
  package init(
    _ configuration: DaemonConfiguration, service: any Service,
    seed: UInt64 = .random(in: .min ... .max)
  ) {
    registry = ConnectionRegistry(
      configuration: configuration, service: service, ids: RequestIDSource(seed: seed))
  }

  /// The port that clients connect to, or `nil` if the daemon is not listening.
  package var boundPort: UInt16? { parts.withLock { $0?.listener.port } }

  /// The daemon's counters and current values. Safe to read on any thread.
  package var statistics: DaemonStatistics { registry.statistics }

  /// Starts to listen and to serve, until ``stop(drainSeconds:draining:)``. A daemon can be started only once.
  package func start() throws(DaemonError) {
    guard boundPort == nil, !registry.isDraining else { throw .alreadyStarted }
    let listener = try Listener(
      host: registry.configuration.host, port: registry.configuration.port)
    var workers: [Worker] = []
    let acceptor: Acceptor
    let inspector: Inspector
    do throws(DaemonError) {
      for _ in 0..<max(registry.configuration.threads, 1) { workers.append(try Worker(registry)) }
      acceptor = try Acceptor(listener, workers, registry)
      inspector = try Inspector(registry)
    } catch {
      for worker in workers { worker.stop() }
      throw error
    }
    acceptor.start()
    inspector.start()
    let started = Parts(
      listener: listener, workers: workers, acceptor: acceptor, inspector: inspector)
    parts.withLock { $0 = started }
  }

  /// Stops listening, lets running requests finish, and stops.
  ///
  /// While the daemon drains, every response closes its connection, and idle connections end. After `drainSeconds`, the
  /// daemon cancels handlers that still wait, and their clients get a 503. Then it cuts connections that still receive
  /// or send. A second call returns at once.
  ///
  /// - Parameter draining: called when draining has begun. Use it to end handler waits that could last forever.
  package func stop(drainSeconds: Double, draining: () -> Void = {}) async {
    let taken = parts.withLock { parts in
      defer { parts = nil }
      return parts
    }
    guard let taken else { return }
    registry.isDraining = true
    draining()
    await Self.offPool { taken.acceptor.stop() }
    taken.listener.stop()
    // Idle connections end now.
    registry.inspect(now: .now, isThorough: true)
    // The quiet time lets clients that have just connected send a request.
    await settle(within: drainSeconds, quiet: 0.1)
    registry.close()
    // The time to send the 503s of `close()` and the responses in progress.
    await settle(within: 1, quiet: 0)
    await Self.offPool {
      taken.inspector.stop()
      for worker in taken.workers { worker.stop() }
    }
  }

  /// Waits until no request has run for `quiet` seconds, but at most for `seconds`.
  private func settle(within seconds: Double, quiet: Double) async {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var quietSince = ContinuousClock.now
    while ContinuousClock.now < deadline {
      if registry.runningCount > 0 {
        quietSince = .now
      } else if ContinuousClock.now - quietSince >= .seconds(quiet) {
        return
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Runs blocking work on its own thread, not on the concurrency pool.
  private static func offPool(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        work()
        continuation.resume()
      }
    }
  }
}
