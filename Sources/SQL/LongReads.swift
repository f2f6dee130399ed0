import Dispatch
import Synchronization

/// Runs reads that may take milliseconds or more, on separate threads. Each caller may have one
/// running read and several waiting reads.
///
/// If no place is free, the caller with the most waiting reads loses one to a caller with fewer. The server itself
/// always gets a place. Safe to use from any thread.
package final class LongReads: Sendable {
  private struct Read: Sendable {
    let number: Int
    /// `nil` for the server itself: its reads may use all threads.
    let caller: String?
    let run: @Sendable () -> Void
    let refuse: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Read] = []
    var running: [Int: String?] = [:]
    var nextNumber = 0

    /// Removes the last read of the caller with the most waiting reads, if it has more than `caller` would have.
    mutating func makePlace(for caller: String?) -> Read? {
      let counts = Dictionary(grouping: waiting.compactMap(\.caller), by: \.self).mapValues(\.count)
      guard let most = counts.max(by: { $0.value < $1.value }),
        caller.map({ most.value > counts[$0, default: 0] + 1 }) ?? true,
        let place = waiting.lastIndex(where: { $0.caller == most.key })
      else { return nil }
      return waiting.remove(at: place)
    }

    mutating func start(_ threads: Int) -> [Read] {
      var started: [Read] = []
      while running.count < threads,
        let place = waiting.firstIndex(where: { read in
          read.caller == nil || !running.values.contains(read.caller)
        })
      {
        let read = waiting.remove(at: place)
        running[read.number] = .some(read.caller)
        started.append(read)
      }
      return started
    }
  }

  private let threads: Int
  private let places: Int
  private let placesOfCaller: Int
  private let queue = DispatchQueue(label: "reads", qos: .utility, attributes: .concurrent)
  private let state = Mutex(State())

  /// - Parameters:
  ///   - threads: the maximum number of concurrent reads.
  ///   - places: the maximum number of waiting reads.
  ///   - placesOfCaller: the maximum number of waiting reads of one caller.
  package init(threads: Int = 2, places: Int = 64, placesOfCaller: Int = 8) {
    (self.threads, self.places, self.placesOfCaller) = (threads, places, placesOfCaller)
  }

  /// The number of waiting reads.
  package var waiting: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` when its turn comes, unless the task is canceled before.
  ///
  /// - Returns: `nil` if no place is free, or if the task was canceled.
  package func run<Value: Sendable>(
    for caller: String?, _ body: @escaping @Sendable () -> Value
  ) async -> Value? {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(
          Read(
            number: number, caller: caller, run: { continuation.resume(returning: body()) },
            refuse: { continuation.resume(returning: nil) }))
      }
    } onCancel: {
      let withdrawn = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
      }
      withdrawn?.refuse()
    }
  }

  private func add(_ read: Read) {
    let (refused, started) = state.withLock { state -> (Read?, [Read]) in
      let own = read.caller == nil ? 0 : state.waiting.count { $0.caller == read.caller }
      guard !Task.isCancelled, own < placesOfCaller else { return (read, []) }
      var loser: Read?
      if state.waiting.count >= places {
        loser = state.makePlace(for: read.caller)
        guard loser != nil || read.caller == nil else { return (read, []) }
      }
      state.waiting.append(read)
      return (loser, state.start(threads))
    }
    refused?.refuse()
    for read in started { begin(read) }
  }

  private func begin(_ read: Read) {
    queue.async { [self] in
      read.run()
      let started = state.withLock { state in
        state.running[read.number] = nil
        return state.start(threads)
      }
      for next in started { begin(next) }
    }
  }
}
