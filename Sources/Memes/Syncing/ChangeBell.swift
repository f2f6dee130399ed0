import Synchronization

/// Wakes tasks that wait for changes of a user's memes. A waiting task needs only a suspended call and a table entry.
/// Safe to use from any thread.
///
/// A task must subscribe first, then read the current state, and then wait: changes committed after the read wake it.
package final class ChangeBell: Sendable {
  /// The reason why a wait ended.
  package enum Signal: Sendable {
    /// A change was committed since the subscription began, or since its last `changed` signal.
    case changed
    /// The deadline has passed.
    case timeUp
    /// No further changes will be reported. The server is stopping, the call was canceled, or one of the user's
    /// sessions ended, possibly this one. All later waits return this signal too.
    case over
  }

  fileprivate struct Key: Hashable {
    let person: UserID
    let number: UInt64
  }

  /// The resolution of deadlines: waits end up to this much late, and many at once.
  private static let step = Duration.milliseconds(100)

  private let state = Mutex(State())
  private let start = ContinuousClock.now

  package init() {}

  /// The number of subscriptions.
  package var count: Int { state.withLock { $0.subscribers.values.reduce(0) { $0 + $1.count } } }

  /// Observes changes of the user's memes until the subscription is released.
  package func subscribe(to person: UserID) -> ChangeSubscription {
    let key = state.withLock { state in
      state.lastNumber += 1
      state.subscribers[person, default: [:]][state.lastNumber] = Subscriber(isOver: state.isClosed)
      return Key(person: person, number: state.lastNumber)
    }
    return ChangeSubscription(key, self)
  }

  /// Reports a change of this user's memes to all subscriptions.
  package func ring(for person: UserID) { tell(person, .rung) }

  /// Reports a change to all subscriptions.
  private func ringAll() {
    state.withLock { Array($0.subscribers.keys) }.forEach(ring)
  }

  /// Ends all waits for changes of this user's memes.
  package func dismiss(_ person: UserID) { tell(person, .over) }

  /// Ends all current waits, and later ones as soon as they begin.
  package func close() {
    let people = state.withLock { state in
      state.isClosed = true
      state.timer?.task.cancel()
      return Array(state.subscribers.keys)
    }
    people.forEach(dismiss)
  }

  private func tell(_ person: UserID, _ event: Event) {
    let woken = state.withLock { state in
      state.subscribers[person, default: [:]].keys.compactMap { number in
        state.note(event, to: Key(person: person, number: number))
      }
    }
    woken.forEach { $0.resume() }
  }
}

extension ChangeBell {
  fileprivate func wait(
    _ key: Key, until deadline: ContinuousClock.Instant
  ) async -> Signal {
    let step = max(0, Int((start.duration(to: deadline) / Self.step).rounded(.up)))
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let woken = state.withLock { state in
          state.deadlines.insert(key, at: step)
          if step < state.timer?.step ?? .max { setTimer(to: step, &state) }
          return state.note(.waits(Wait(continuation: continuation, step: step)), to: key)
        }
        woken?.resume()
      }
    } onCancel: {
      state.withLock { $0.note(.over, to: key) }?.resume()
    }
  }

  fileprivate func end(_ key: Key) {
    state.withLock { state in
      state.subscribers[key.person]?[key.number] = nil
      if state.subscribers[key.person]?.isEmpty == true { state.subscribers[key.person] = nil }
    }
  }

  private func setTimer(to step: Int, _ state: inout State) {
    state.timer?.task.cancel()
    let task = Task { [self] in
      do { try await Task.sleep(until: start + Self.step * step) } catch { return }
      passed(step)
    }
    state.timer = (task, step)
  }

  private func passed(_ step: Int) {
    let woken = state.withLock { state in
      state.timer = nil
      let due = state.deadlines.removeAll(upTo: step)
      if let next = state.deadlines.first { setTimer(to: next, &state) }
      return due.compactMap { state.note(.late, to: $0) }
    }
    woken.forEach { $0.resume() }
  }
}

extension ChangeBell {
  private struct Wait {
    let continuation: CheckedContinuation<Signal, Never>
    let step: Int
  }

  private enum Event {
    case waits(Wait)
    case rung, late, over
  }

  private struct Subscriber {
    var hasRung = false
    var isLate = false
    var isOver = false
    var wait: Wait?

    mutating func note(_ event: Event) {
      switch event {
      case .waits(let wait): self.wait = wait
      case .rung: hasRung = true
      case .late: isLate = true
      case .over: isOver = true
      }
    }

    /// The signal to return from a wait; `nil` if there is none.
    mutating func takeSignal() -> Signal? {
      defer { isLate = false }
      if isOver { return .over }
      if hasRung {
        hasRung = false
        return .changed
      }
      return isLate ? .timeUp : nil
    }
  }

  /// A wait that has ended. Its task resumes after the lock is released.
  private struct Woken {
    let continuation: CheckedContinuation<Signal, Never>
    let signal: Signal

    func resume() { continuation.resume(returning: signal) }
  }

  private struct State {
    var subscribers: [UserID: [UInt64: Subscriber]] = [:]
    var deadlines = DeadlineTable<Key>()
    /// The single timer. It fires at the first deadline.
    var timer: (task: Task<Void, Never>, step: Int)?
    var lastNumber: UInt64 = 0
    var isClosed = false

    /// - Returns: the wait that ends because of this event, if any.
    mutating func note(_ event: Event, to key: Key) -> Woken? {
      guard var subscriber = subscribers[key.person]?[key.number] else { return nil }
      subscriber.note(event)
      defer { subscribers[key.person]?[key.number] = subscriber }
      guard let wait = subscriber.wait, let signal = subscriber.takeSignal() else { return nil }
      subscriber.wait = nil
      deadlines.remove(key, at: wait.step)
      return Woken(continuation: wait.continuation, signal: signal)
    }
  }
}

/// Observes changes of one user's memes. Several changes between two waits are reported as one.
package final class ChangeSubscription: Sendable {
  private let key: ChangeBell.Key
  private let bell: ChangeBell

  fileprivate init(_ key: ChangeBell.Key, _ bell: ChangeBell) {
    (self.key, self.bell) = (key, bell)
  }

  deinit { bell.end(key) }

  /// Waits for a change or for the deadline. Must not be called concurrently.
  package func next(until deadline: ContinuousClock.Instant) async -> ChangeBell.Signal {
    await bell.wait(key, until: deadline)
  }
}

extension ChangeBell: ChangeObserver {
  package func changed(_ change: MemeChange) {
    switch change {
    case .sequenced(let person): ring(for: person)
    case .signedOut(let person): dismiss(person)
    case .missed: ringAll()
    default: break
    }
  }
}
