/// Checks one part of the server, one check at a time.
///
/// A part that hangs may never respond. The caller then continues after a timeout. No further check begins before the
/// last one ends, so checks do not pile up.
package actor Probe {
  private let question: @Sendable () async throws -> Void
  private var isAsking = false
  private var waiting: CheckedContinuation<String?, Never>?

  package init(_ question: @escaping @Sendable () async throws -> Void) {
    self.question = question
  }

  /// The problem, for the operator; `nil` if there is none. Must not be called concurrently.
  package func failure(within patience: Duration) async -> String? {
    if !isAsking {
      isAsking = true
      Task { await ask() }
    }
    let alarm = Task {
      try await Task.sleep(for: patience)
      guard !Task.isCancelled else { return }
      tell("no response within \(patience)")
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { waiting = $0 }
  }

  private func ask() async {
    var cause: String?
    do { try await question() } catch { cause = error.reason }
    isAsking = false
    tell(cause)
  }

  private func tell(_ cause: String?) {
    waiting?.resume(returning: cause)
    waiting = nil
  }
}
