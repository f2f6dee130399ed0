import Bytes
import HTTP
import Synchronization

/// One request and its response, from the request line to the last byte sent.
///
/// libmicrohttpd calls in on the connection's thread, but a handler's task may end on any thread. One lock decides
/// which came first. The phases, and the calls that libmicrohttpd may make in each:
///
/// | phase | entered after | calls | next phase |
/// |---|---|---|---|
/// | heading | request line | handler, once: checks framing, asks service | handling, or as after admitted |
/// | admitted | the service's decision | handler, for the head again | receiving, dropping, draining, answered |
/// | receiving | head | handler with body chunks, then without | handling, dropping, answered, gone |
/// | dropping | refusal during a body | handler with chunks, dropped up to a limit; then response and close | sending |
/// | draining | refusal of a long body, response sent | handler with chunks, dropped up to a limit; then close | gone |
/// | handling | complete body, or head | none: inside the handler call | answered, admitted, suspended |
/// | suspended | the service suspends | none; timeouts and disconnects are not reported | answered, admitted |
/// | answered | the response is ready | handler, once: queues it | sending |
/// | sending | the response is queued | completion; for a streaming response also the content reader | gone, asking |
/// | asking | all available stream data is sent | none: inside the content reader call | sending, paused |
/// | paused | the stream suspends | none; timeouts and disconnects are not reported | sending |
/// | gone | completion, also after a disconnect | none | |
///
/// In the third column, handler means the access handler. If a body is cut, the phase goes from receiving to gone, and
/// the body reader's `end()` is called.
final class Exchange: Sendable {
  enum Phase {
    case heading
    case admitted
    case receiving
    case dropping(Response, bytesLeft: Int)
    case draining(bytesLeft: Int)
    case handling
    case suspended(SuspendedHandler)
    case answered(Response, closing: Bool)
    case sending
    case asking
    case paused(Task<Void, Never>, Wait)
    case gone
  }

  /// The state of a body that is being read.
  struct RequestBodyState {
    let head: RequestHead
    let body: any BodyReader
    /// The maximum size of the body and its size so far, in bytes.
    let limit: Int
    var count = 0
    var isLongRunning = false
    let answer: @Sendable (Request) async -> Response
  }

  /// The service's decision about a complete head.
  struct AdmittedHead {
    let head: RequestHead
    let checked: CheckedHead
    let admission: Admission
  }

  /// A handler that the exchange waits for.
  struct SuspendedHandler {
    let task: Task<Void, Never>
    let wait: Wait
    let deadline: Moment
  }

  /// A suspended connection, and the number under which it is registered.
  struct Wait {
    let connection: Connection
    let number: UInt64
  }

  struct State {
    var phase = Phase.heading
    var id: RequestID
    /// The client's address.
    var peer: String
    /// The request's `Origin`. The response to a cross-origin page must say whether that page may read it.
    var origin: HeaderValue?
    var method = ""
    var route: RouteID?
    /// The status of the queued response.
    var status: Status?
    var bodyBytes = 0
    /// Whether the response was written without libmicrohttpd, which then has no queued response.
    var isWrittenByHand = false
    /// Whether the client disconnected while the handler ran or the exchange waited for a stream.
    var isAbandoned = false
    /// The stream of the queued response, if it is a streaming response.
    var flow: ResponseStreamState?
  }

  let registry: ConnectionRegistry
  /// The request target as the client sent it, or `nil` if it is not valid UTF-8.
  let target: String?
  /// The target's location in memory.
  let targetPlace: HeadLayout.Part
  let client: Client
  let began = Moment.now
  let state: Mutex<State>
  /// Held from the end of a wait until its connection is resumed. Taken before the lock of ``state``.
  private let resumption = Mutex(())
  /// The service's decision, from the admitted phase until it is followed.
  // Set by the task that waits for the decision before the phase, and read on the connection's thread after it. The
  // state's lock orders the two.
  nonisolated(unsafe) var admitted: AdmittedHead?
  /// Set during the receiving phase.
  // Accessed only on the connection's thread, inside callbacks, which libmicrohttpd calls one at a time.
  nonisolated(unsafe) var reception: RequestBodyState?
  /// The deadline for the next chunk of the body.
  // Accessed only on the connection's thread, inside callbacks, which libmicrohttpd calls one at a time.
  nonisolated(unsafe) var bodyDeadline = Moment.never
  /// The reply that is being sent, and the store that it returns to.
  // Accessed only on the connection's thread: set in the access handler, read in the completion callback.
  nonisolated(unsafe) var sent: (reply: Reply, forms: ResponseForms)?

  init(
    target: String?, at place: HeadLayout.Part, from client: Client, in registry: ConnectionRegistry
  ) {
    (self.registry, self.client) = (registry, client)
    (self.target, targetPlace) = (target, place)
    state = Mutex(State(id: registry.makeID(), peer: client.peer))
    client.expectHead(until: began.after(seconds: registry.configuration.deadlines.headSeconds))
    registry.enter()
  }

  /// The instruction to libmicrohttpd after an access handler call.
  enum CallbackResult {
    case proceed
    /// Close the connection without a response.
    case close
  }
}

extension Exchange {
  /// Runs the service's handler on this thread until the handler suspends.
  ///
  /// - Parameter reception: the state of the body, which is complete.
  /// - Returns: the response, or `nil` if the connection is suspended until the handler returns a response.
  func handle(
    _ request: Request, after reception: RequestBodyState, on connection: Connection
  ) -> Response? {
    let answer = reception.answer
    let phase = run(isLongRunning: reception.isLongRunning, on: connection) {
      .answered(await answer(request), closing: false)
    }
    guard case .answered(let response, _)? = phase else { return nil }
    return response
  }

  /// Runs the work on this thread until it suspends.
  ///
  /// - Returns: the phase that the work returns, or `nil` if the connection is suspended until then.
  func run(
    isLongRunning: Bool = false, on connection: Connection,
    _ work: @escaping @Sendable () async -> Phase
  ) -> Phase? {
    state.withLock { $0.phase = .handling }
    let task = start { [self] in finish(await work()) }
    let outcome = state.withLock { state -> Outcome in
      guard case .handling = state.phase else { return .finished(state.phase) }
      // From here on, another thread may find the exchange, but it waits for this lock.
      guard let wait = registry.beginWaiting(self, on: connection) else { return .refused }
      state.phase = .suspended(
        SuspendedHandler(
          task: task, wait: wait,
          deadline: isLongRunning
            ? .never : .now.after(seconds: registry.configuration.deadlines.requestSeconds)))
      client.expect(.handling, until: .never)
      // Inside the lock: the thread that stores the result must find the connection suspended.
      connection.suspend()
      return .waits
    }
    switch outcome {
    case .finished(let phase): return phase
    case .waits: return nil
    case .refused:
      task.cancel()
      return .answered(refusal(Problem(.overloaded, "The server is shutting down.")), closing: true)
    }
  }

  private enum Outcome {
    case finished(Phase)
    case waits
    /// The daemon is stopping, and no exchange may wait.
    case refused
  }

  /// Starts the operation on this thread, and keeps it there until it suspends.
  func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    if #available(macOS 26, *) { return Task.immediate { await operation() } }
    return Task { await operation() }
  }

  /// Enters the phase after the work, and resumes the connection if it is suspended. A result that comes too late is
  /// dropped.
  private func finish(_ phase: Phase) {
    resume { state in
      switch state.phase {
      case .handling:
        state.phase = phase
        return nil
      case .suspended(let suspension):
        state.phase = phase
        return suspension.wait
      default: return nil
      }
    }
  }

  /// Answers 503 in place of a handler that still waits, and cancels the handler. Safe to call on any thread.
  func expire(_ detail: String) {
    let response = refusal(Problem(.overloaded, detail))
    var task: Task<Void, Never>?
    resume { state in
      guard case .suspended(let suspension) = state.phase else { return nil }
      state.phase = .answered(response, closing: true)
      task = suspension.task
      return suspension.wait
    }
    task?.cancel()
  }

  /// Changes the state, and resumes the connection of the wait that this ends.
  ///
  /// The state's lock is released first, because the connection's thread takes it as soon as the connection is resumed.
  /// ``ConnectionRegistry/close()`` also calls this, and so waits for a connection that another thread is resuming.
  func resume(_ change: (inout State) -> Wait?) {
    resumption.withLock { _ in
      guard let wait = state.withLock({ change(&$0) }) else { return }
      wait.connection.resume()
      registry.endWaiting(wait)
    }
  }

  /// Ends the exchange if its handler takes too long or its client has disconnected. Safe to call on any thread.
  ///
  /// - Parameter isThorough: whether to ask the system if the client has disconnected.
  func inspect(now: Moment, isThorough: Bool) {
    if registry.isDraining { endStream(isAbandoned: false) }
    let isLate = state.withLock { state in
      guard case .suspended(let suspension) = state.phase else { return false }
      return now >= suspension.deadline
    }
    if isLate { return expire("The request took too long.") }
    if isThorough, client.isGone { abandon() }
  }

  /// Cancels the work for a client that has disconnected. The exchange still waits for a handler, but not for a stream.
  private func abandon() {
    endStream(isAbandoned: true)
    let task = state.withLock { state -> Task<Void, Never>? in
      guard case .suspended(let suspension) = state.phase, !state.isAbandoned else { return nil }
      state.isAbandoned = true
      return suspension.task
    }
    task?.cancel()
  }

  /// The response to a request that the daemon itself refuses.
  func refusal(_ problem: Problem) -> Response {
    let (id, origin) = state.withLock { ($0.id, $0.origin) }
    return registry.service.response(to: problem, id: id, origin: origin)
  }
}
