package import Memes

/// Makes a backup whenever the newest one reaches a certain age, until it is stopped.
///
/// The age counts from the newest existing backup, so that a restart neither repeats nor skips one. A failed backup is
/// retried after an hour, or after the interval if that is shorter.
package final class BackupSchedule: Sendable {
  /// The maximum pause in seconds. A backup that was added or removed by hand is noticed after this time.
  private static let longestPauseSeconds = 3600

  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - intervalSeconds: greater than 0.
  ///   - pause: waits for this many seconds; throws when the task is canceled.
  ///   - report: called with the error if a backup could not begin.
  package init(
    _ backups: Backups, intervalSeconds: Int, now: @escaping @Sendable () -> Timestamp,
    pause: @escaping @Sendable (_ seconds: Int) async throws -> Void,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    let retrySeconds = min(intervalSeconds, Self.longestPauseSeconds)
    task = Task {
      var earliest = now()
      while !Task.isCancelled {
        let next = backups.newest.map { Self.time(intervalSeconds, after: $0) }
        let time = now()
        // The clock may have been set back since the last attempt.
        earliest = min(earliest, Self.time(retrySeconds, after: time))
        let due = next.map { max($0, earliest) } ?? earliest
        let wait = Self.seconds(from: time, to: due)
        if wait == 0 {
          await Self.make(backups, report)
          // If the backup failed, `backups.newest` has not changed.
          earliest = Self.time(retrySeconds, after: now())
        } else {
          guard (try? await pause(min(wait, Self.longestPauseSeconds))) != nil else { return }
        }
      }
    }
  }

  /// Stops the schedule. A running backup continues.
  package func stop() async {
    task.cancel()
    await task.value
  }

  private static func make(_ backups: Backups, _ report: (any Error) -> Void) async {
    do { _ = try await backups.begin(by: nil) } catch {
      switch error {
      // Another backup is running and counts as this one, or the server is stopping.
      case MemeError.backupRunning, MemeError.storageBusy: break
      default: report(error)
      }
    }
    await backups.settle()
  }

  private static func time(_ seconds: Int, after time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 + 1000 * Int64(seconds))
  }

  /// The seconds until `time`, rounded up; 0 if it has passed.
  private static func seconds(from now: Timestamp, to time: Timestamp) -> Int {
    Int(max(0, time.millisecondsSince1970 - now.millisecondsSince1970 + 999) / 1000)
  }
}
