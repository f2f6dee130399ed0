import Bytes
import HTTP
import Synchronization

/// One request and its answer, from the request line to the last byte handed over.
///
/// libmicrohttpd calls in on the thread that serves the connection; a handler's task ends on whatever thread it
/// likes. One lock settles who was first. The phases, and what libmicrohttpd may call in each:
///
/// | phase | entered | calls | leaves to |
/// |---|---|---|---|
/// | heading | request line | handler, once: check the framing, ask the service | receiving, dropping, draining, answered |
/// | receiving | head | handler with pieces of the body, then without | handling, dropping, answered; gone, where the body is cut: its reader is told |
/// | dropping | refusal while a body is on its way | handler with pieces, dropped up to a cap; then answer and close | sending |
/// | draining | refusal of a long body: the answer is written at once | handler with pieces, dropped up to a cap; then close | gone |
/// | handling | body complete | none: inside of the handler call | answered, suspended |
/// | suspended | the service's handler really waits | none; timeouts and disconnects are not reported | answered |
/// | answered | the response is there | handler, once: queue it | sending |
/// | sending | response queued | completion; of an answer that goes on also the reader | gone, asking |
/// | asking | of an answer that goes on all is sent that there is | none: inside of the reader call | sending, paused |
/// | paused | its stream really waits | none; timeouts and disconnects are not reported | sending |
/// | gone | completion, also when the client leaves | none | |
final class Exchange: Sendable {
  enum Phase {
    case heading
    case receiving
    case dropping(Response, bytesLeft: Int)
    case draining(bytesLeft: Int)
    case handling
    case suspended(SuspendedHandler)
    case answered(Response, closing: Bool)
    case sending
    case asking
    case paused(Task<Void, Never>)
    case gone
  }

  /// A body that is being read.
  struct RequestBodyState {
    let head: RequestHead
    let body: any BodyReader
    /// How many bytes the body may have, and has so far.
    let limit: Int
    var count = 0
    var isLongRunning = false
    let answer: @Sendable (Request) async -> Response
  }

  /// A handler that is being waited for.
  struct SuspendedHandler {
    let task: Task<Void, Never>
    let connection: Connection
    let deadline: Moment
  }

  struct State {
    var phase = Phase.heading
    var id: RequestID
    /// The client's address.
    var peer: String
    /// As in the request: an answer to a page of another origin says whether that may read it.
    var origin: HeaderValue?
    var method = ""
    var route: RouteMark?
    /// Of the response that is queued.
    var status: Status?
    var bodyBytes = 0
    /// Whether the answer was written past libmicrohttpd, which knows of no response then.
    var isWrittenByHand = false
    /// Whether the client went away while the handler ran, or a stream was waited for.
    var isAbandoned = false
    /// The answer that is queued, where it goes on.
    var flow: Flow?
  }

  let registry: ConnectionRegistry
  /// The request target as it was sent; `nil` where it is not valid UTF-8.
  let target: String?
  /// Where the target stood in memory.
  let targetPlace: HeadLayout.Part
  let client: Client
  let began = Moment.now
  let state: Mutex<State>
  /// Set while the phase is receiving.
  // Touched on the connection's thread only, in the handler callback, which libmicrohttpd calls one at a time.
  nonisolated(unsafe) var reception: RequestBodyState?
  /// Until when the next piece of the body is waited for.
  // Touched where the reception is: on the connection's thread only.
  nonisolated(unsafe) var bodyDeadline = Moment.never
  /// What is on its way and goes back to where it is kept.
  // Touched on the connection's thread only: set in the handler callback, read in the completion callback.
  nonisolated(unsafe) var sent: (reply: Reply, forms: ResponseForms)?

  init(target: String?, at place: HeadLayout.Part, from client: Client, in registry: ConnectionRegistry) {
    (self.registry, self.client) = (registry, client)
    (self.target, targetPlace) = (target, place)
    state = Mutex(State(id: registry.makeID(), peer: client.peer))
    client.expectHead(until: began.after(seconds: registry.configuration.deadlines.headSeconds))
    registry.enter()
  }

  /// What libmicrohttpd is to do after a handler call.
  enum CallbackResult {
    case proceed
    /// Close the connection without an answer.
    case close
  }
}

extension Exchange {
  /// Runs the service's handler on this thread until it really waits.
  ///
  /// - Parameter reception: is over.
  /// - Returns: the response, or `nil` where the connection is suspended until there is one.
  func handle(
    _ request: Request, after reception: RequestBodyState, on connection: Connection
  ) -> Response? {
    let answer = reception.answer
    state.withLock { $0.phase = .handling }
    let task = start { [self] in deliver(await answer(request)) }
    let outcome = state.withLock { state -> Outcome in
      if case .answered(let response, _) = state.phase { return .answered(response) }
      // From here on another thread may find the exchange, but waits for this lock.
      guard registry.beginWaiting(self) else { return .refused }
      state.phase = .suspended(
        SuspendedHandler(
          task: task, connection: connection,
          deadline: reception.isLongRunning
            ? .never : .now.after(seconds: registry.configuration.deadlines.requestSeconds)))
      client.expect(.handling, until: .never)
      // Inside of the lock: whoever stores the response must find the connection suspended.
      connection.suspend()
      return .waits
    }
    switch outcome {
    case .answered(let response): return response
    case .waits: return nil
    case .refused:
      task.cancel()
      return refusal(Problem(.overloaded, "The server is shutting down."))
    }
  }

  private enum Outcome {
    case answered(Response)
    case waits
    /// The daemon stops: nobody may wait any more.
    case refused
  }

  /// Begins on this thread, and stays there until it really waits.
  func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    if #available(macOS 26, *) { return Task.immediate { await operation() } }
    return Task { await operation() }
  }

  /// Stores what the handler answered, and lets the connection go on where it waits. Dropped where it comes too late.
  private func deliver(_ response: Response) {
    state.withLock { state in
      switch state.phase {
      case .handling: state.phase = .answered(response, closing: false)
      case .suspended(let suspension):
        state.phase = .answered(response, closing: false)
        registry.endWaiting(self)
        suspension.connection.resume()
      default: break
      }
    }
  }

  /// Answers 503 in the place of a handler that still waits, and cancels it. On any thread.
  func expire(_ detail: String) {
    let response = refusal(Problem(.overloaded, detail))
    state.withLock { state in
      guard case .suspended(let suspension) = state.phase else { return }
      state.phase = .answered(response, closing: true)
      registry.endWaiting(self)
      suspension.connection.resume()
      suspension.task.cancel()
    }
  }

  /// Ends what takes too long, and what nobody waits for any more. On any thread.
  ///
  /// - Parameter isThorough: whether to ask the system if the client has gone.
  func inspect(now: Moment, isThorough: Bool) {
    if registry.isDraining { endStream(isAbandoned: false) }
    let isLate = state.withLock { state in
      guard case .suspended(let suspension) = state.phase else { return false }
      return now >= suspension.deadline
    }
    if isLate { return expire("The request took too long.") }
    if isThorough, client.isGone { abandon() }
  }

  /// Cancels what makes an answer for a client that is gone. A handler is waited for, a stream is not.
  private func abandon() {
    endStream(isAbandoned: true)
    let task = state.withLock { state -> Task<Void, Never>? in
      guard case .suspended(let suspension) = state.phase, !state.isAbandoned else { return nil }
      state.isAbandoned = true
      return suspension.task
    }
    task?.cancel()
  }

  /// The answer to a request that the daemon itself refuses.
  func refusal(_ problem: Problem) -> Response {
    let (id, origin) = state.withLock { ($0.id, $0.origin) }
    return registry.service.response(to: problem, id: id, origin: origin)
  }
}
