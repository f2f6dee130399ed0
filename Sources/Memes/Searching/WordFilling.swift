/// Gives words to what was made before anything could be searched for, while the server runs: the newest first, a small
/// transaction at a time, so that nobody waits for it.
///
/// It may end at any moment, by a crash too: every transaction is whole, and the next start goes on with the rest.
package final class WordFilling: Sendable {
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - pause: waits until a failure may be over; throws when the task is cancelled.
  ///   - report: gets how many had none when all have, or why that failed.
  package init(
    store: any WordStore, pause: @escaping @Sendable () async throws -> Void,
    report: @escaping @Sendable (Result<Int, MemeError>) -> Void
  ) {
    task = Task {
      var count = 0
      while !Task.isCancelled {
        do throws(MemeError) {
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

  /// Some tens of milliseconds of writing.
  private static let batch = 250

  /// Ends after the transaction that runs now, if one does.
  package func stop() async {
    task.cancel()
    await task.value
  }
}

/// What ``WordFilling`` needs of a store.
package protocol WordStore: Sendable {
  /// Gives words to some of those memes and people that have none yet.
  ///
  /// - Returns: to how many; 0 where all have them.
  func fillWords(atMost count: Int) async throws(MemeError) -> Int
}
