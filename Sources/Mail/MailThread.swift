import Foundation
import Memes
import Synchronization

/// Does what blocks, one mail after the other, on a thread of its own, which is there only while there is mail.
///
/// Safe to use from any thread.
final class MailThread: Sendable {
  /// How many mails may wait, beside the one that is being sent.
  static let maximumWaiting = 32

  private struct State {
    var waiting: [Delivery] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  /// Runs `deliver` when it is its turn, unless the caller is cancelled first.
  func run(
    _ deliver: @escaping @Sendable () throws(MailError) -> Void
  ) async throws(MailError) {
    let delivery = Delivery(deliver)
    let result: Result<Void, MailError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        delivery.caller.withLock { $0 = continuation }
        if !start(delivery) { delivery.end(.failure(.overloaded)) }
      }
    } onCancel: {
      withdraw(delivery)
    }
    try result.get()
  }

  /// Takes a mail back, if nobody has begun to send it.
  private func withdraw(_ delivery: Delivery) {
    delivery.isCancelled.store(true, ordering: .relaxed)
    let withdrawn = state.withLock { state in
      state.waiting.firstIndex { $0 === delivery }.map { state.waiting.remove(at: $0) }
    }
    // Nobody reads the answer.
    withdrawn?.end(.failure(.overloaded))
  }

  /// - Returns: whether there was room.
  private func start(_ delivery: Delivery) -> Bool {
    let (isTaken, needsThread) = state.withLock { state in
      // Who is cancelled from here on is found among those that wait.
      guard state.waiting.count < Self.maximumWaiting,
        !delivery.isCancelled.load(ordering: .relaxed)
      else { return (false, false) }
      state.waiting.append(delivery)
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    if needsThread { Thread.detachNewThread { self.work() } }
    return isTaken
  }

  private func work() {
    while let delivery = next() { delivery.perform() }
  }

  private func next() -> Delivery? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

/// One mail that waits for its turn.
private final class Delivery: Sendable {
  let isCancelled = Atomic(false)
  let caller = Mutex<CheckedContinuation<Result<Void, MailError>, Never>?>(nil)
  private let deliver: @Sendable () throws(MailError) -> Void

  init(_ deliver: @escaping @Sendable () throws(MailError) -> Void) { self.deliver = deliver }

  func perform() {
    guard !isCancelled.load(ordering: .relaxed) else {
      return end(.failure(.overloaded))
    }
    do throws(MailError) {
      try deliver()
      end(.success(()))
    } catch { end(.failure(error)) }
  }

  func end(_ result: Result<Void, MailError>) {
    let caller = caller.withLock { caller in
      defer { caller = nil }
      return caller
    }
    caller?.resume(returning: result)
  }
}
