/// Purges at once and then repeatedly, until it is stopped.
package final class PurgeSchedule: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - pause: waits until the next run. Throws if there is no next run or the task is canceled.
  ///   - report: receives the number of deleted items, or the error. After an error the next run tries again.
  package init(
    _ purge: any Purge, pause: @escaping @Sendable () async throws -> Void,
    report: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    task = Task {
      repeat {
        do { report(.success(try await purge.purge())) } catch {
          report(.failure(error))
        }
      } while await Self.passes(pause)
    }
  }

  /// Stops after the current transaction, if there is one.
  package func stop() async {
    task.cancel()
    await task.value
  }

  private static func passes(_ pause: @Sendable () async throws -> Void) async -> Bool {
    do {
      try await pause()
      return true
    } catch { return false }
  }
}
