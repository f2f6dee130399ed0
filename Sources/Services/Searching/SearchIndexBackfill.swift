package import Storage

/// Adds memes and users from before the search feature to the search index, while the server runs. It works in small
/// transactions, newest items first, so that other writes do not wait for long.
///
/// It may end at any time, even by a crash: every transaction is complete, and the next start continues with the rest.
package final class SearchIndexBackfill: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - pause: waits before a retry after a failure; throws if the task is canceled.
  ///   - report: receives the number of indexed items at the end, and the error of each failure.
  package init(
    store: WordStore, pause: @escaping @Sendable () async throws -> Void,
    report: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) {
    task = Task {
      var count = 0
      while !Task.isCancelled {
        do {
          let filled = try await store.fillWords(atMost: Self.batch)
          count += filled
          guard filled > 0 else { return report(.success(count)) }
        } catch {
          report(.failure(error))
          do { try await pause() } catch { return }
        }
      }
    }
  }

  /// A batch takes some tens of milliseconds to write.
  private static let batch = 250

  /// Stops after the current transaction, if one is running.
  package func stop() async {
    task.cancel()
    await task.value
  }
}
