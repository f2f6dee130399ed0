/// Limits for drawing.
package struct RendererSettings: Sendable, Equatable {
  /// The number of jobs that run at the same time, each with its own drawer.
  package var workers: Int
  /// The number of orders that may wait while all workers are busy.
  package var queue = 256
  /// The time limit of an order, including its wait.
  package var timeoutSeconds = 20
  /// The idle time after which a worker frees the memory that it keeps.
  package var restAfterSeconds = 5.0
  /// The further idle time after which the worker frees memory again.
  package var idleAfterSeconds = 60.0
  /// The time that running orders have to end when the pool stops.
  package var stopSeconds = 2.0
  /// The memory of all concurrent jobs together, if they run in helper processes.
  package var memoryBytes = 1 << 30
  /// The capacity of the preview caches of all workers together.
  package var shelfBytes = 64 << 20

  package init(workers: Int) { self.workers = max(1, workers) }

  /// The capacity of one worker's preview cache.
  package var shelfBytesOfWorker: Int { max(8 << 20, shelfBytes / workers) }
}
