package import Bytes
package import Crypto
import Foundation
package import Memes
import Metrics
package import Outgoing
package import Storage
import Synchronization

/// Delivers events to the destinations of connections, while a server runs.
///
/// One task looks for connections with waiting events, and each such connection gets a task of its own, so a slow
/// receiver delays only itself. Requests never wait for deliveries.
package final class EventSender: Sendable {
  /// How long an idle sender waits before it looks for events again.
  private static let pause = Duration.milliseconds(250)
  /// The maximum number of connections that are served at the same time.
  private static let maximumRunning = 128
  /// How often the sender looks for connections that deliver nothing, and for which too many events wait.
  private static let overfullPause = Duration.seconds(60)
  /// A turn of a connection ends after this time, so that others get theirs.
  private static let turnTime = Duration.seconds(10)

  /// What the sender uses.
  package struct Parts: Sendable {
    package let store: EventStore
    package let mode: ConnectionMode
    package let cipher: SecretCipher
    /// The body of a delivery.
    package let message: @Sendable (Event, DueConnection) async throws -> Bytes
    package let post: @Sendable (WebhookRequest) async -> WebhookResponse
    package let notices: AccountNotices
    package let now: @Sendable () -> Timestamp
    /// The time between two deliveries of a member's connection.
    package let memberPace: Duration
    package let report: @Sendable (Outcome) -> Void

    package init(
      store: EventStore, mode: ConnectionMode, cipher: SecretCipher,
      message: @escaping @Sendable (Event, DueConnection) async throws -> Bytes,
      post: @escaping @Sendable (WebhookRequest) async -> WebhookResponse,
      notices: AccountNotices, now: @escaping @Sendable () -> Timestamp,
      memberPace: Duration = .seconds(1), report: @escaping @Sendable (Outcome) -> Void
    ) {
      (self.store, self.mode, self.cipher, self.message) = (store, mode, cipher, message)
      (self.post, self.notices, self.now) = (post, notices, now)
      (self.memberPace, self.report) = (memberPace, report)
    }
  }

  /// What the operator learns.
  package enum Outcome: Sendable {
    case stopped(ConnectionID, reason: String)
    /// Events cannot be read, or attempts cannot be recorded. Reported once until it works again.
    case failed(any Error)
  }

  private struct State {
    var running: [Int64: Task<Void, Never>] = [:]
    /// When a connection without deliverable events is looked at again.
    var resting: [Int64: ContinuousClock.Instant] = [:]
    /// The connections whose last turn failed. On a full disk, every turn fails.
    var failing: Set<Int64> = []
    var isStopping = false
  }

  private let state = Mutex(State())
  private let parts: Parts
  package let meter = DeliveryMeter()
  private let loop = Mutex<Task<Void, Never>?>(nil)

  package init(_ parts: Parts) { self.parts = parts }

  /// Begins to deliver. If connections are off, it delivers nothing, and only stops those for which too many events
  /// wait.
  package func start() {
    let isOff = parts.mode == .off
    loop.withLock { loop in
      loop = Task {
        var (isFailing, isFirst) = (false, true)
        var nextCheck = ContinuousClock.now
        while !Task.isCancelled {
          do {
            if !isOff {
              if isFirst { try await parts.store.endStaleLeases() }
              isFirst = false
              try await look()
            }
            if .now >= nextCheck {
              nextCheck = .now + Self.overfullPause
              try await stopOverfull()
            }
            isFailing = false
          } catch {
            if !isFailing { parts.report(.failed(error)) }
            isFailing = true
          }
          try? await Task.sleep(for: Self.pause)
        }
      }
    }
  }

  /// Ends the loop, waits for deliveries in progress, and records them.
  package func stop() async {
    let loop = loop.withLock { $0 }
    loop?.cancel()
    await loop?.value
    let running = state.withLock { state in
      state.isStopping = true
      return Array(state.running.values)
    }
    running.forEach { $0.cancel() }
    for task in running { await task.value }
  }

  /// Starts the deliveries of all connections that have some, except those that are being served.
  private func look() async throws {
    let due = try await parts.store.due(at: parts.now())
    let time = ContinuousClock.now
    state.withLock { state in
      state.resting = state.resting.filter { $0.value > time }
      // In random order, so that many connections with slow receivers do not keep the places from the others.
      for connection in due.shuffled() {
        let number = connection.number
        guard !state.isStopping, state.running.count < Self.maximumRunning,
          state.running[number] == nil, state.resting[number] == nil
        else { continue }
        state.running[number] = Task {
          let wasUseful = await serve(connection)
          self.state.withLock { state in
            state.running[number] = nil
            // All of its events wait for refused ones.
            if !wasUseful { state.resting[number] = .now + .seconds(1) }
          }
        }
      }
    }
  }

  /// Stops the connections that deliver nothing, and for which too many events wait: they would fill the disk. A turn
  /// checks the others.
  private func stopOverfull() async throws {
    let reason = "10,000 events are waiting, and none is delivered."
    let stopped = try await parts.store.stopOverfull(because: reason, isOff: parts.mode == .off)
    for connection in stopped {
      parts.report(.stopped(connection.id, reason: reason))
      await parts.notices.tell(connection.owner, .connectionStopped)
    }
  }

  /// - Returns: whether it did something.
  private func serve(_ connection: DueConnection) async -> Bool {
    do {
      let wasUseful = try await takeTurn(of: connection)
      state.withLock { _ = $0.failing.remove(connection.number) }
      return wasUseful
    } catch {
      if error is CancellationError { return false }
      let isNew = state.withLock { $0.failing.insert(connection.number).inserted }
      if isNew { parts.report(.failed(error)) }
      return false
    }
  }

  private func takeTurn(of connection: DueConnection) async throws -> Bool {
    // A lease is a write, and refused events can wait for half an hour.
    guard try await parts.store.hasWork(connection, at: parts.now()),
      try await parts.store.take(connection, at: parts.now())
    else { return false }
    let turn = Turn(connection, parts, meter, until: .now + Self.turnTime)
    let wasUseful: Bool
    do {
      wasUseful = try await turn.run()
      try await turn.stopIfTooManyWait()
    } catch {
      try? await parts.store.release(connection)
      throw error
    }
    try await parts.store.release(connection)
    return wasUseful
  }
}

/// The deliveries of one connection for a while.
private struct Turn {
  private let connection: DueConnection
  private let parts: EventSender.Parts
  private let meter: DeliveryMeter
  private let end: ContinuousClock.Instant
  private let ledger: DeliveryLedger
  private let secret: WebhookSecret?
  private let oldSecret: (secret: WebhookSecret, until: Timestamp)?

  init(
    _ connection: DueConnection, _ parts: EventSender.Parts, _ meter: DeliveryMeter,
    until end: ContinuousClock.Instant
  ) {
    (self.connection, self.parts, self.meter, self.end) = (connection, parts, meter, end)
    ledger = DeliveryLedger { [store = parts.store, now = parts.now] results in
      try await store.record(results, of: connection, at: now())
    }
    func secret(_ sealed: [UInt8]) -> WebhookSecret? {
      WebhookSecret(sealed: sealed, with: parts.cipher, for: connection.id)
    }
    self.secret = secret(connection.secret)
    oldSecret = connection.oldSecret.flatMap { old in secret(old.bytes).map { ($0, old.until) } }
  }

  private var isOver: Bool { Task.isCancelled || .now >= end }

  /// - Returns: whether there was something to do.
  func run() async throws -> Bool {
    if let reason = refusal {
      if try await parts.store.stop(connection, because: reason) {
        parts.report(.stopped(connection.id, reason: reason))
      }
      return false
    }
    var (failures, wasUseful) = (connection.failures, false)
    while !isOver {
      let events = try await parts.store.next(of: connection, at: parts.now())
      if events.isEmpty {
        let reloads = try await parts.store.reload(connection, at: parts.now()) {
          EventID(Random.uuid())
        }
        guard reloads else { break }
        wasUseful = true
        continue
      }
      wasUseful = true
      let next = try await deliver(events, &failures)
      guard try await ledger.settle(), next == .goOn else { return next != .rest }
    }
    return wasUseful
  }

  /// Why the connection may not deliver.
  private var refusal: String? {
    guard parts.mode.permits(connection.role),
      connection.scope == .own || connection.role == .admin
    else { return "The owner may not have this connection. An admin must make the owner an admin." }
    // After the loss of the server's secret key.
    return secret == nil ? "The secret cannot be read. Change it, then restart." : nil
  }

  private enum Next {
    case goOn, end
    /// The receiver refuses many events, so others have little hope.
    case rest
  }

  private func deliver(_ events: [Event], _ failures: inout Int) async throws -> Next {
    var refused: Set<UUID> = []
    for event in events where !refused.contains(event.subject) {
      guard !isOver else { return .goOn }
      guard await ledger.goesOn else { return .end }
      // The owner may have changed or deleted the mapping since.
      guard try await parts.store.isCurrent(event) else { return .goOn }
      let body = try await parts.message(event, connection)
      let began = ContinuousClock.now
      let (time, response) = (parts.now(), await parts.post(request(event, body, at: parts.now())))
      let verdict = Verdict(response)
      let attempt = verdict.attempt(response, at: time, took: .now - began)
      let result = EventStore.Result(
        event, DeliveryID.version7(at: time, random: Random.uuid()),
        fate(of: event, verdict, failures, at: time), attempt)
      await ledger.add(result)
      switch result.fate {
      case .delivered:
        failures = 0
        meter.delivered.add()
      case .givenUp:
        failures = 0
        meter.givenUp.add()
      case .refused:
        failures = 0
        refused.insert(event.subject)
        meter.failed.add()
        guard try await ledger.settle() else { return .end }
        if try await parts.store.refusedCount(of: connection) >= EventStore.maximumRefused {
          return .rest
        }
      case .postponed:
        failures += 1
        meter.failed.add()
        try await postponed(verdict, failures)
        return .end
      }
      if connection.role == .member { try? await Task.sleep(for: parts.memberPace) }
    }
    return .goOn
  }

  /// Tells the owner if deliveries have failed for long, and stops a connection whose receiver is gone.
  private func postponed(_ verdict: Verdict, _ failures: Int) async throws {
    // The owner has paused, moved or restarted it since.
    guard try await ledger.settle() else { return }
    if verdict == .gone {
      let reason = "The receiver answered 410 Gone: it wants no more events."
      if try await parts.store.stop(connection, because: reason) {
        parts.report(.stopped(connection.id, reason: reason))
        await parts.notices.tell(connection.owner, .connectionStopped)
      }
    } else if failures == RetrySchedule.noticedFailures {
      await parts.notices.tell(connection.owner, .connectionFailing)
    }
  }

  /// Stops a connection that takes fewer events than there are: they would fill the disk. An admin's may catch up after
  /// a burst, such as an import.
  func stopIfTooManyWait() async throws {
    let catchesUp = await ledger.delivered >= EventStore.batchCount && connection.role == .admin
    guard !catchesUp,
      try await parts.store.waitingCount(of: connection) >= EventStore.maximumWaiting
    else {
      return
    }
    let reason = "10,000 events are waiting, because the receiver does not accept them fast enough."
    if try await parts.store.stop(connection, because: reason) {
      parts.report(.stopped(connection.id, reason: reason))
      await parts.notices.tell(connection.owner, .connectionStopped)
    }
  }

  private func fate(
    of event: Event, _ verdict: Verdict, _ failures: Int, at time: Timestamp
  ) -> EventStore.Fate {
    func later(_ milliseconds: Int64) -> Timestamp {
      Timestamp(millisecondsSince1970: time.millisecondsSince1970 + milliseconds)
    }
    switch verdict {
    case .delivered: return .delivered
    case .refused:
      let pause = RetrySchedule.pause(afterRefusals: event.refusals + 1)
      return pause.map { .refused(until: later($0)) } ?? .givenUp
    case .gone: return .postponed(until: time)
    case .failed(let retryAfter):
      return .postponed(
        until: later(
          RetrySchedule.pause(
            afterFailures: failures + 1, atLeast: retryAfter.map { Int64($0) * 1000 },
            jitter: .random(in: 0...1))))
    }
  }

  private func request(_ event: Event, _ body: Bytes, at time: Timestamp) -> WebhookRequest {
    let seconds = time.millisecondsSince1970 / 1000
    let bytes = body.withUnsafeBytes { Array($0) }
    let old = oldSecret.flatMap { time < $0.until ? $0.secret : nil }
    let signatures = [secret, old].compactMap(\.self).map {
      $0.signature(id: event.id.text, time: seconds, body: bytes)
    }
    return WebhookRequest(
      url: connection.url.text,
      fields: [
        "webhook-id: \(event.id.text)", "webhook-timestamp: \(seconds)",
        "webhook-signature: \(signatures.joined(separator: " "))",
      ], body: body)
  }
}

/// What a response means (Standard Webhooks 1.0.0, "Webhook response").
private enum Verdict: Equatable {
  case delivered
  /// The receiver does not accept this event. Others may succeed.
  case refused
  /// The receiver wants no more events.
  case gone
  /// The receiver accepts nothing now.
  case failed(retryAfter: Int?)

  init(_ response: WebhookResponse) {
    guard case .answered(let status, _, let retryAfter) = response else {
      self = .failed(retryAfter: nil)
      return
    }
    self =
      switch status {
      case 200...299: .delivered
      case 410: .gone
      case 408, 425, 429: .failed(retryAfter: retryAfter)
      case 400...499: .refused
      default: .failed(retryAfter: retryAfter)
      }
  }

  func attempt(
    _ response: WebhookResponse, at time: Timestamp, took duration: Duration
  ) -> Delivery.Attempt {
    let milliseconds = Int(duration / .milliseconds(1))
    switch response {
    case .answered(let status, let head, _):
      return Delivery.Attempt(
        status: status, head: head,
        error: self == .delivered ? nil : "The receiver answered with the status \(status).",
        milliseconds: milliseconds, at: time)
    case .failed(let error):
      return Delivery.Attempt(
        status: nil, head: nil, error: error, milliseconds: milliseconds, at: time)
    }
  }
}
