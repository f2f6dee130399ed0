import Synchronization

/// Ends the wait of callers at the deadlines of their orders.
///
/// One task sleeps for all orders: a timer for each would cost more CPU time than reading the head of a picture.
final class OrderDeadlines: Sendable {
  private struct Entry {
    let deadline: ContinuousClock.Instant
    let expire: @Sendable () -> Void
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    /// Runs while there are entries, and then until the deadline for which it sleeps. `nil` if it does not run.
    var watch: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Calls `expire` at the deadline, unless the entry is removed before.
  ///
  /// - Parameter deadline: not before the deadline of an earlier entry.
  func add(
    _ number: Int, at deadline: ContinuousClock.Instant, _ expire: @escaping @Sendable () -> Void
  ) {
    state.withLock { state in
      state.entries[number] = Entry(deadline: deadline, expire: expire)
      guard state.watch == nil else { return }
      state.watch = Task.detached { [weak self] in
        var next: ContinuousClock.Instant? = deadline
        while let deadline = next {
          do { try await Task.sleep(until: deadline) } catch { return }
          next = self?.expire()
        }
      }
    }
  }

  func remove(_ number: Int) { state.withLock { _ = $0.entries.removeValue(forKey: number) } }

  /// Ends the task. No entry expires afterwards.
  func stop() {
    state.withLock { state in
      state.watch?.cancel()
      state.entries = [:]
    }
  }

  /// Calls the closures whose deadlines have passed.
  ///
  /// - Returns: the next deadline; `nil` if there is none, and the task has to end.
  private func expire() -> ContinuousClock.Instant? {
    let (due, next) = state.withLock { state in
      let now = ContinuousClock.now
      let due = state.entries.filter { $0.value.deadline <= now }
      for number in due.keys { state.entries[number] = nil }
      let next = state.entries.values.lazy.map(\.deadline).min()
      if next == nil { state.watch = nil }
      return (due.values.map(\.expire), next)
    }
    for expire in due { expire() }
    return next
  }
}
