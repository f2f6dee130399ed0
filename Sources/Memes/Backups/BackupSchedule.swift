/// Makes a backup whenever the newest one is so old, until it is stopped.
///
/// The time counts from the newest backup that there is, so that a restart neither repeats nor forgets one. One that fails is tried
/// again after an hour, or sooner where the time is shorter.
package final class BackupSchedule: Sendable {
  /// A backup that somebody removed, or brought, is noticed after so long.
  private static let longestPauseSeconds = 3600

  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - intervalSeconds: more than 0.
  ///   - pause: waits for so many seconds; throws when the task is cancelled.
  ///   - report: told of a backup that could not be begun.
  package init(
    _ backups: Backups, intervalSeconds: Int, now: @escaping @Sendable () -> Timestamp,
    pause: @escaping @Sendable (_ seconds: Int) async throws -> Void,
    report: @escaping @Sendable (MemeError) -> Void
  ) {
    task = Task {
      var earliest = now()
      while !Task.isCancelled {
        let next = backups.newest.map { Self.time(intervalSeconds, after: $0) }
        let due = next.map { max($0, earliest) } ?? earliest
        let wait = Self.seconds(from: now(), to: due)
        if wait == 0 {
          await Self.make(backups, report)
          // Where it failed there is no newer one.
          earliest = Self.time(min(intervalSeconds, Self.longestPauseSeconds), after: now())
        } else {
          guard (try? await pause(min(wait, Self.longestPauseSeconds))) != nil else { return }
        }
      }
    }
  }

  /// Ends it. A backup that is being made goes on.
  package func stop() async {
    task.cancel()
    await task.value
  }

  private static func make(_ backups: Backups, _ report: (MemeError) -> Void) async {
    do throws(MemeError) { _ = try await backups.begin(by: nil) } catch {
      switch error {
      // Somebody was faster, and that one counts; or nothing is begun any more.
      case .backupRunning, .storageBusy: break
      default: report(error)
      }
    }
    await backups.settle()
  }

  private static func time(_ seconds: Int, after time: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: time.millisecondsSince1970 + 1000 * Int64(seconds))
  }

  /// Rounded up; 0 where it is over.
  private static func seconds(from now: Timestamp, to time: Timestamp) -> Int {
    Int(max(0, time.millisecondsSince1970 - now.millisecondsSince1970 + 999) / 1000)
  }
}
