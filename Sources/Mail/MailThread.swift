import Foundation
import Memes
import Synchronization

/// Runs blocking mail deliveries one at a time, on a thread that exists only while there is mail.
///
/// Safe to use from any thread.
final class MailThread: Sendable {
  /// The maximum number of waiting mails, in addition to the one being sent.
  static let maximumWaiting = 32

  private struct State {
    var waiting: [Delivery] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  /// Runs `deliver` when its turn comes, unless the calling task is cancelled first.
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

  /// Removes a mail from the queue, if it is still waiting.
  private func withdraw(_ delivery: Delivery) {
    delivery.isCancelled.store(true, ordering: .relaxed)
    let withdrawn = state.withLock { state in
      state.waiting.firstIndex { $0 === delivery }.map { state.waiting.remove(at: $0) }
    }
    // The caller was cancelled and ignores this error.
    withdrawn?.end(.failure(.overloaded))
  }

  /// - Returns: `false` if the queue is full or the caller was cancelled.
  private func start(_ delivery: Delivery) -> Bool {
    let (isTaken, needsThread) = state.withLock { state in
      // If the caller is cancelled after this point, `withdraw` finds the mail in the queue.
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

/// A mail in the queue.
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
