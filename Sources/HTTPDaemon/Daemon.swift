import Foundation
package import HTTP
import Synchronization

/// Serves a `Service` over HTTP/1.1.
///
/// A request's handler runs on the thread that read it until it really waits; then the connection is suspended and
/// the thread goes on with others.
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
  ///   - seed: where the ids of requests begin.
  package init(
    _ configuration: DaemonConfiguration, service: any Service,
    seed: UInt64 = .random(in: .min ... .max)
  ) {
    registry = ConnectionRegistry(
      configuration: configuration, service: service, ids: RequestIDSource(seed: seed))
  }

  /// The port that clients connect to; `nil` while the daemon does not listen.
  package var boundPort: UInt16? { parts.withLock { $0?.listener.port } }

  /// What it has done so far, and is doing. On any thread.
  package var statistics: DaemonStatistics { registry.statistics }

  /// Listens, and serves from then on, until it is stopped. A daemon is started once.
  package func start() throws(DaemonError) {
    guard boundPort == nil, !registry.isDraining else { throw .alreadyStarted }
    let listener = try Listener(
      host: registry.configuration.host, port: registry.configuration.port)
    var workers: [Worker] = []
    let acceptor: Acceptor
    do throws(DaemonError) {
      for _ in 0..<max(registry.configuration.threads, 1) { workers.append(try Worker(registry)) }
      acceptor = try Acceptor(listener, workers, registry)
    } catch {
      for worker in workers { worker.stop() }
      throw error
    }
    acceptor.start()
    let inspector = Inspector(registry)
    inspector.start()
    let started = Parts(
      listener: listener, workers: workers, acceptor: acceptor, inspector: inspector)
    parts.withLock { $0 = started }
  }

  /// Stops listening, lets what runs come to its end, and stops.
  ///
  /// From the beginning every answer ends its connection, and connections between two requests are ended. After `drainSeconds` handlers that still wait are cancelled
  /// and their clients answered 503; what is still being received or sent is cut. A second call returns at once.
  ///
  /// - Parameter draining: is called when that has begun: for handlers that wait for something that may not come to end their wait.
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
    // Connections between two requests end now.
    registry.inspect(now: .now, isThorough: true)
    // A moment of quiet is for clients that have just connected.
    await settle(within: drainSeconds, quiet: 0.1)
    registry.close()
    // The 503s just given, and answers that are on their way.
    await settle(within: 1, quiet: 0)
    await Self.offPool {
      taken.inspector.stop()
      for worker in taken.workers { worker.stop() }
    }
  }

  /// Waits until no request has run for `quiet` seconds, but no longer than that.
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

  /// Runs what blocks on a thread of its own.
  private static func offPool(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        work()
        continuation.resume()
      }
    }
  }
}
