import Synchronization

/// Mails that nobody waits for: they are written and sent after the request that is their cause was answered.
///
/// One after the other, by a task that is there only while there is something to do. Safe to use from any thread.
package final class MailQueue: Sendable {
  /// How many may wait, beside the one that is at work.
  package static let maximumWaiting = 64

  /// Writes a mail and sends it by the mailer, when it is its turn.
  package typealias Errand = @Sendable (any Mailer) async throws(MemeError) -> Void

  private struct State {
    var waiting: [Errand] = []
    var worker: Task<Void, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())
  private let mailer: any Mailer
  private let throttle: Throttle
  private let report: @Sendable (MemeError) -> Void

  /// - Parameter report: is told why a mail was not sent; ``MemeError/overloaded`` where too many wait, or the server stops.
  package init(
    mailer: any Mailer, throttle: Throttle, report: @escaping @Sendable (MemeError) -> Void
  ) { (self.mailer, self.throttle, self.report) = (mailer, throttle, report) }

  /// Takes a mail on that tells somebody what was done to their account, unless they were told a lot: nobody has shown that the
  /// mailbox is theirs, so nobody may fill it by changing something back and forth.
  func notify(_ mail: Mail) {
    do throws(MemeError) {
      try throttle.take(.notice, for: .mailbox(mail.to.text.lowercased()))
    } catch {
      return report(error)
    }
    add { mailer throws(MemeError) in try await mailer.deliver(mail) }
  }

  /// Takes a mail on, and returns at once: how long it takes says nothing about the mail.
  package func add(_ errand: @escaping Errand) {
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.waiting.count < Self.maximumWaiting else { return false }
      state.waiting.append(errand)
      if state.worker == nil { state.worker = Task { await work() } }
      return true
    }
    if !isTaken { report(.overloaded()) }
  }

  /// Takes no more on, and sends what waits.
  ///
  /// - Parameter deadline: what has not begun by then is not sent; what is on its way then goes on.
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
    for _ in 0..<state.withLock({ $0.waiting.count }) { report(.overloaded()) }
  }

  private func work() async {
    while let errand = next() {
      do throws(MemeError) { try await errand(mailer) } catch { report(error) }
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
  /// Sends a mail from within a use case.
  func deliver(_ mail: Mail) async throws(MemeError) {
    do throws(MailError) { try await send(mail) } catch { throw .mail(error) }
  }
}
