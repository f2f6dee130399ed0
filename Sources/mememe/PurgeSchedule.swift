package import Memes

/// Empties the trash of what has been there for its time: at once, and every hour from then on.
package final class PurgeSchedule: Sendable {
  private let task: Task<Void, Never>

  /// - Parameter pause: waits until it is time again; throws when the task is cancelled.
  package init(
    _ purging: Purging, log: Log,
    pause: @escaping @Sendable () async throws -> Void = {
      try await Task.sleep(for: .seconds(3600))
    }
  ) {
    task = Task {
      repeat {
        do throws(MemeError) {
          let count = try await purging.purge()
          if count > 0 { log.write(.info, "trash emptied", [("memes", .whole(count))]) }
        } catch {
          // What is due stays due: the next time tries again.
          log.write(.error, "the trash was not emptied", [("cause", .text("\(error)"))])
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
