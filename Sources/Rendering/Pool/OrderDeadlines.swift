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
    /// `nil` if no task sleeps.
    var watch: Watch?
    var watches = 0
    var isStopped = false
  }

  /// A task that sleeps until a deadline, then until the next one.
  private struct Watch {
    let number: Int
    /// Not later than the deadline of any entry.
    var wakesAt: ContinuousClock.Instant
    let task: Task<Void, Never>
  }

  private let state = Mutex(State())

  deinit { stop() }

  /// Calls `expire` at the deadline, unless the entry is removed before. Does nothing after ``stop()``.
  func add(
    _ number: Int, at deadline: ContinuousClock.Instant, _ expire: @escaping @Sendable () -> Void
  ) {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.entries[number] = Entry(deadline: deadline, expire: expire)
      // Nearly all orders have the same time limit, so the task that sleeps wakes in time.
      if let watch = state.watch, watch.wakesAt <= deadline { return }
      state.watch?.task.cancel()
      state.watches += 1
      state.watch = watch(state.watches, deadline)
    }
  }

  func remove(_ number: Int) { state.withLock { _ = $0.entries.removeValue(forKey: number) } }

  /// Ends the task, and removes all entries.
  func stop() {
    state.withLock { state in
      state.watch?.task.cancel()
      (state.entries, state.watch, state.isStopped) = ([:], nil, true)
    }
  }

  private func watch(_ number: Int, _ deadline: ContinuousClock.Instant) -> Watch {
    let task = Task.detached { [weak self] in
      var next: ContinuousClock.Instant? = deadline
      while let deadline = next {
        do { try await Task.sleep(until: deadline) } catch { return }
        next = self?.expire(number)
      }
    }
    return Watch(number: number, wakesAt: deadline, task: task)
  }

  /// Calls the closures whose deadlines have passed, the earliest first.
  ///
  /// - Returns: the next deadline; `nil` if there is none, or another task has taken over.
  private func expire(_ watch: Int) -> ContinuousClock.Instant? {
    let (due, next) = state.withLock { state -> ([Entry], ContinuousClock.Instant?) in
      guard state.watch?.number == watch else { return ([], nil) }
      let now = ContinuousClock.now
      let due = state.entries.filter { $0.value.deadline <= now }
      for number in due.keys { state.entries[number] = nil }
      let next = state.entries.values.lazy.map(\.deadline).min()
      if let next { state.watch?.wakesAt = next } else { state.watch = nil }
      return (due.values.sorted { $0.deadline < $1.deadline }, next)
    }
    for entry in due { entry.expire() }
    return next
  }
}
