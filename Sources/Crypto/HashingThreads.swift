import Foundation
import Synchronization

/// Runs what hashes passwords: a few at once, each on a thread that is there only while there is something to hash.
///
/// A flood of sign-ins waits here, and whoever wants something else does not wait with it. Safe to use from any thread.
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
  ///   - limit: how many run at once.
  ///   - maximumWaiting: how many may wait beside them. A hash takes about 25 ms, so that the last of 64 waits a second.
  package init(limit: Int = 2, maximumWaiting: Int = 64) {
    (self.limit, self.maximumWaiting) = (limit, maximumWaiting)
  }

  /// Runs `work` when its turn has come, unless the caller is cancelled first.
  ///
  /// - Throws: ``HashingError/overloaded``, ``HashingError/cancelled``, and what `work` throws.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(HashingError) -> Value
  ) async throws(HashingError) -> Value {
    let isCancelled = Flag()
    let result: Result<Value, HashingError> = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        let isTaken = take {
          guard !isCancelled.isSet.load(ordering: .relaxed) else {
            return caller.resume(returning: .failure(.cancelled))
          }
          do throws(HashingError) { caller.resume(returning: .success(try work())) } catch {
            caller.resume(returning: .failure(error))
          }
        }
        if !isTaken { caller.resume(returning: .failure(.overloaded)) }
      }
    } onCancel: {
      isCancelled.isSet.store(true, ordering: .relaxed)
    }
    return try result.get()
  }

  /// - Returns: whether there was room.
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
