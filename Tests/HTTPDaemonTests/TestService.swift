import Bytes
import Eventually
import Foundation
import HTTP
import HTTPDaemon
import Synchronization
import Wire

/// A service for tests. Each test decides how requests are admitted.
final class TestService: Service {
  private let decide: @Sendable (RequestHead) -> Admission
  private let completions = Mutex<[AccessRecord]>([])

  init(_ decide: @escaping @Sendable (RequestHead) -> Admission) { self.decide = decide }

  /// Responds to every request without a body.
  convenience init(answer: @escaping @Sendable (Request) async -> Response) {
    self.init { _ in Admission(body: NoBody(), bodyLimit: 0, answer: answer) }
  }

  func admit(_ head: RequestHead) -> Admission { decide(head) }

  func response(to problem: Problem, id: RequestID, origin: HeaderValue?) -> Response {
    var response = problem.response(id: id)
    response.headers[.accessControlAllowOrigin] = origin
    return response
  }

  func completed(_ record: AccessRecord) { completions.withLock { $0.append(record) } }

  var records: [AccessRecord] { completions.withLock { $0 } }

  /// Waits until `count` requests are completed, and returns their records.
  func records(_ count: Int) async throws -> [AccessRecord] {
    try await eventually("\(count) requests are completed") { records.count >= count }
    return records
  }
}

/// Reads a body into memory.
final class WholeBody: BodyReader {
  private var bytes: [UInt8] = []
  func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) { bytes.append(contentsOf: piece) }
  func finish() throws(Problem) -> RequestBody { .bytes(Bytes(bytes)) }
}

extension Response {
  static func text(_ text: String) -> Response { Response(.ok, "text/plain", Bytes(text)) }
}

/// Starts a daemon on a free port, and stops it after the test.
func withDaemon(
  _ service: TestService, drainSeconds: Double = 2,
  configure: (inout DaemonConfiguration) -> Void = { _ in },
  _ test: (Daemon) async throws -> Void
) async throws {
  await Slots.daemons.enter()
  defer { Slots.daemons.leave() }
  var configuration = DaemonConfiguration.patient
  configure(&configuration)
  let daemon = Daemon(configuration, service: service)
  try daemon.start()
  do {
    try await test(daemon)
    await daemon.stop(drainSeconds: drainSeconds)
  } catch {
    await daemon.stop(drainSeconds: 0)
    throw error
  }
}

extension DaemonConfiguration {
  /// Deadlines that suffice on a machine that is busy with all the other tests.
  static var patient: DaemonConfiguration {
    var configuration = DaemonConfiguration()
    (configuration.deadlines.headSeconds, configuration.deadlines.graceSeconds) = (60, 60)
    (configuration.deadlines.keepAliveSeconds, configuration.deadlines.requestSeconds) = (60, 60)
    return configuration
  }
}

extension Daemon {
  /// Waits until the request lines of `count` requests have arrived.
  func isServing(_ count: Int) async throws {
    try await eventually("\(count) requests run") { statistics.runningRequests >= count }
  }
}

/// A gate at which handlers wait until the test opens it.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private(set) var arrivals = 0

  /// Waits and ignores cancellation.
  func pass() async {
    arrivals += 1
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Waits until the handler is canceled. Ignoring the cancellation would leave it there.
  nonisolated func passUntilCanceled() async {
    await withTaskCancellationHandler {
      await pass()
    } onCancel: {
      Task { await open() }
    }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// Waits until `count` handlers have arrived at the gate.
  func arrived(_ count: Int) async throws {
    try await eventually("\(count) handlers wait") { arrivals >= count }
  }
}
