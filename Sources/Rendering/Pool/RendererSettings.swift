/// The bounds within which memes are drawn.
package struct RendererSettings: Sendable, Equatable {
  /// Jobs that are done at the same time, each by a drawer of its own.
  package var workers: Int
  /// Orders that may wait while every worker is busy.
  package var queue = 256
  /// From when an order is given until it must be done, waiting included.
  package var timeoutSeconds = 20
  /// How long a worker has nothing to draw before it lets go of the memory that it keeps.
  package var restAfterSeconds = 5.0
  /// And for how long then, before it is told again.
  package var idleAfterSeconds = 60.0
  /// How long orders that run may take to end once the pool stops.
  package var stopSeconds = 2.0
  /// Of all jobs that are done at the same time, if they have processes of their own.
  package var memoryBytes = 1 << 30
  /// Of shrunken pictures that previews are drawn on, for all workers together.
  package var shelfBytes = 64 << 20

  package init(workers: Int) { self.workers = max(1, workers) }

  /// Of one worker.
  package var shelfBytesOfWorker: Int { max(8 << 20, shelfBytes / workers) }
}
