/// Purges at once, and again and again until it is stopped.
package final class PurgeSchedule: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - pause: waits until it is time again; throws where there is no next time, and when the task is cancelled.
  ///   - report: gets the number of what was purged, or why it was not. What is due stays due, so the next time
  ///     tries again.
  package init(
    _ purge: any Purge, pause: @escaping @Sendable () async throws -> Void,
    report: @escaping @Sendable (Result<Int, MemeError>) -> Void
  ) {
    task = Task {
      repeat {
        do throws(MemeError) { report(.success(try await purge.purge())) } catch {
          report(.failure(error))
        }
      } while await Self.passes(pause)
    }
  }

  /// Ends after the transaction that runs now, if one does.
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
