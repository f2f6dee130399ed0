import Synchronization

/// Wakes those who wait for changes of a person's memes. Who waits is a suspended call and an entry in a table, however many there
/// are. Safe to use from any thread.
///
/// Whoever waits subscribes first, then looks what there is, and waits then: what is committed after the look rings.
package final class ChangeBell: Sendable {
  /// Why a wait is over.
  package enum Signal: Sendable {
    /// Something was committed since the subscription began, or since it last said so.
    case changed
    /// The deadline has come.
    case timeUp
    /// Nothing more is to be waited for: the server stops, the call was cancelled, or the person was signed out somewhere, which may
    /// be here. It stays so.
    case over
  }

  fileprivate struct Key: Hashable {
    let person: UserID
    let number: UInt64
  }

  /// Waits end up to that much later than their deadlines, and many together.
  private static let step = Duration.milliseconds(100)

  private let state = Mutex(State())
  private let start = ContinuousClock.now

  package init() {}

  /// How many subscriptions there are.
  package var count: Int { state.withLock { $0.subscribers.values.reduce(0) { $0 + $1.count } } }

  /// Rings from now on where the person's memes change, until it is freed.
  package func subscribe(to person: UserID) -> ChangeSubscription {
    let key = state.withLock { state in
      state.lastNumber += 1
      state.subscribers[person, default: [:]][state.lastNumber] = Subscriber(isOver: state.isClosed)
      return Key(person: person, number: state.lastNumber)
    }
    return ChangeSubscription(key, self)
  }

  /// Tells all who wait for changes of this person's memes that there is one.
  package func ring(for person: UserID) { tell(person, .rung) }

  /// Ends all waits for changes of this person's memes.
  package func dismiss(_ person: UserID) { tell(person, .over) }

  /// Ends all waits, and those that begin from now on at once.
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

    /// What to tell whoever waits; `nil` where there is nothing.
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

  /// Somebody whose wait is over. They go on when the lock is free.
  private struct Woken {
    let continuation: CheckedContinuation<Signal, Never>
    let signal: Signal

    func resume() { continuation.resume(returning: signal) }
  }

  private struct State {
    var subscribers: [UserID: [UInt64: Subscriber]] = [:]
    var deadlines = DeadlineTable<Key>()
    /// The one timer: sleeps until the first of the deadlines.
    var timer: (task: Task<Void, Never>, step: Int)?
    var lastNumber: UInt64 = 0
    var isClosed = false

    /// - Returns: whoever waits and is to wait no longer.
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

/// Hears of changes of one person's memes. However many there are between two waits, they are one.
package final class ChangeSubscription: Sendable {
  private let key: ChangeBell.Key
  private let bell: ChangeBell

  fileprivate init(_ key: ChangeBell.Key, _ bell: ChangeBell) {
    (self.key, self.bell) = (key, bell)
  }

  deinit { bell.end(key) }

  /// Waits until there is something new, or until the deadline. One call at a time.
  package func next(until deadline: ContinuousClock.Instant) async -> ChangeBell.Signal {
    await bell.wait(key, until: deadline)
  }
}

extension ChangeBell: ChangeObserver {
  package func changed(_ change: MemeChange) {
    switch change {
    case .sequenced(let person): ring(for: person)
    case .signedOut(let person): dismiss(person)
    default: break
    }
  }
}
