import Memes
import Synchronization

/// Records the uses of sessions, of each session one at a time. Safe to use from any thread.
final class SessionUses: Sendable {
  /// How long a request waits for the record. A disk that hangs must not keep people from reading.
  private static let patience = Duration.seconds(2)

  private let record: @Sendable (Session, Timestamp) async throws -> Void
  private let running = Mutex<Set<SessionID>>([])

  init(_ record: @escaping @Sendable (Session, Timestamp) async throws -> Void) {
    self.record = record
  }

  /// - Parameter report: receives the error if the use cannot be recorded, perhaps after the call.
  func note(
    _ session: Session, at time: Timestamp, report: @escaping @Sendable (any Error) -> Void
  ) async {
    guard running.withLock({ $0.insert(session.id).inserted }) else { return }
    let (end, ending) = AsyncStream<Void>.makeStream()
    Task {
      do { try await record(session, time) } catch { report(error) }
      running.withLock { _ = $0.remove(session.id) }
      ending.finish()
    }
    let alarm = Task {
      try await Task.sleep(for: Self.patience)
      ending.finish()
    }
    for await _ in end {}
    alarm.cancel()
  }
}
