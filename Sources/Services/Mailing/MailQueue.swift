package import Memes
import Storage
import Synchronization

/// Mails that are written and sent in the background, after the response to the request that caused them.
///
/// One task sends them in order; it exists only while mails are waiting. Safe to use from any thread.
package final class MailQueue: Sendable {
  /// The maximum number of waiting mails, without the one that is being sent.
  package static let maximumWaiting = 64

  /// Writes a mail and sends it with the mailer.
  package typealias Errand = @Sendable (any Mailer) async throws -> Void

  private struct State {
    var waiting: [Errand] = []
    var worker: Task<Void, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())
  private let mailer: any Mailer
  private let throttle: SharedThrottle
  let notifies: Bool
  let report: @Sendable (any Error) -> Void

  /// - Parameters:
  ///   - notifies: whether ``notify(_:within:)`` sends mails. Only a mail server delivers them to users.
  ///   - report: receives the error for each mail that was not sent; ``MemeError/overloaded`` if too many are waiting
  ///     or the server is stopping.
  package init(
    mailer: any Mailer, throttle: SharedThrottle, notifies: Bool,
    report: @escaping @Sendable (any Error) -> Void
  ) {
    (self.mailer, self.throttle) = (mailer, throttle)
    (self.notifies, self.report) = (notifies, report)
  }

  /// Queues a mail that informs a user of a change to their account, unless this mailbox has received too many. The
  /// address is not verified, so repeated changes must not flood a stranger's mailbox.
  package func notify(_ mail: Mail, within limit: Limit = .notice) {
    guard notifies else { return }
    let mailbox = Caller.mailbox(mail.to.text.lowercased())
    do { try throttle.takeHere(limit, for: mailbox) } catch { return report(error) }
    add { [throttle] mailer in
      try await throttle.takeShared(limit, for: mailbox)
      try await mailer.deliver(mail)
    }
  }

  /// Queues a mail and returns at once, so that the response time reveals nothing about the mail.
  package func add(_ errand: @escaping Errand) {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.waiting.count < Self.maximumWaiting else { return false }
      state.waiting.append(errand)
      if state.worker == nil { state.worker = Task { await work() } }
      return true
    }
    if !isTaken { report(MemeError.overloaded()) }
  }

  /// Accepts no more mails, and sends the waiting ones.
  ///
  /// - Parameter deadline: mails not begun by then are not sent; a mail that is being sent at that time continues.
  package func stop(by deadline: ContinuousClock.Instant) async {
    let worker = state.withLock { state in
      state.isClosed = true
      return state.worker
    }
    guard let worker else { return }
    let watch = Task {
      try await Task.sleep(until: deadline)
      worker.cancel()
    }
    await worker.value
    watch.cancel()
    for _ in 0..<state.withLock({ $0.waiting.count }) { report(MemeError.overloaded()) }
  }

  private func work() async {
    while let errand = next() {
      do { try await errand(mailer) } catch { report(error) }
    }
  }

  private func next() -> Errand? {
    state.withLock { state in
      guard !state.waiting.isEmpty, !Task.isCancelled else {
        state.worker = nil
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

extension Mailer {
  /// Sends a mail and converts the error.
  package func deliver(_ mail: Mail) async throws {
    do throws(MailError) { try await send(mail) } catch { throw MemeError.mail(error) }
  }
}
