/// Asks one part of the server how it is, one question at a time.
///
/// A part that is stuck may never answer. Whoever asks goes on after a while then, and nobody asks again before the
/// answer has come: questions do not pile up behind what is stuck.
actor Probe {
  private let question: @Sendable () async throws(MemeError) -> Void
  private var isAsking = false
  private var waiting: CheckedContinuation<String?, Never>?

  init(_ question: @escaping @Sendable () async throws(MemeError) -> Void) {
    self.question = question
  }

  /// What is wrong, for the operator; `nil` where nothing is. Asked by one at a time.
  func failure(within patience: Duration) async -> String? {
    if !isAsking {
      isAsking = true
      Task { await ask() }
    }
    let alarm = Task {
      try await Task.sleep(for: patience)
      guard !Task.isCancelled else { return }
      tell("no answer within \(patience)")
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { waiting = $0 }
  }

  private func ask() async {
    var cause: String?
    do throws(MemeError) { try await question() } catch { cause = String(reflecting: error) }
    isAsking = false
    tell(cause)
  }

  private func tell(_ cause: String?) {
    waiting?.resume(returning: cause)
    waiting = nil
  }
}
