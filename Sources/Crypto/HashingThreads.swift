import Foundation
import Synchronization

/// Hashes passwords on a few threads, which exist only while there is work.
///
/// A flood of sign-ins waits in this queue and does not delay other requests. Safe to use from any thread.
package final class HashingThreads: Sendable {
  private typealias Job = @Sendable () -> Void

  private struct State {
    var waiting: [Job] = []
    var running = 0
  }

  private let state = Mutex(State())
  private let limit: Int
  private let maximumWaiting: Int

  /// - Parameters:
  ///   - limit: the number of jobs that run at once.
  ///   - maximumWaiting: the number of jobs that may wait in the queue. Each hash takes about 25 ms, so the last of 64
  ///     jobs waits for about a second.
  package init(limit: Int = 2, maximumWaiting: Int = 64) {
    (self.limit, self.maximumWaiting) = (limit, maximumWaiting)
  }

  /// Runs `work` on a hashing thread, unless the calling task is cancelled before its turn.
  ///
  /// - Throws: ``HashingError/overloaded`` if the queue is full, ``HashingError/cancelled`` if the task was cancelled
  ///   first, and the errors of `work`.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let isCancelled = Flag()
    let result: Result<Value, any Error> = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        let isTaken = take {
          guard !isCancelled.isSet.load(ordering: .relaxed) else {
            return caller.resume(returning: .failure(HashingError.cancelled))
          }
          do { caller.resume(returning: .success(try work())) } catch {
            caller.resume(returning: .failure(error))
          }
        }
        if !isTaken { caller.resume(returning: .failure(HashingError.overloaded)) }
      }
    } onCancel: {
      isCancelled.isSet.store(true, ordering: .relaxed)
    }
    return try result.get()
  }

  /// - Returns: `false` if the queue is full.
  private func take(_ job: @escaping Job) -> Bool {
    let (isTaken, needsThread) = state.withLock { state in
      let needsThread = state.running < limit
      guard needsThread || state.waiting.count < maximumWaiting else { return (false, false) }
      state.waiting.append(job)
      if needsThread { state.running += 1 }
      return (true, needsThread)
    }
    if needsThread { Thread.detachNewThread { self.work() } }
    return isTaken
  }

  private func work() {
    while let job = next() { job() }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

private final class Flag: Sendable {
  let isSet = Atomic(false)
}
