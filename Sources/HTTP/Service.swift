/// The application behind a daemon. The daemon calls it on its own threads, so the calls must not block. Only the
/// closures of ``Admission/Verdict/read(_:answer:)`` and ``Admission/Verdict/wait(_:)`` may wait.
package protocol Service: Sendable {
  /// Decides how to handle a request whose head has arrived.
  func admit(_ head: RequestHead) -> Admission

  /// The response to a request that the daemon itself refuses.
  ///
  /// - Parameters:
  ///   - id: the request's id, as in `X-Request-Id`.
  ///   - origin: the request's `Origin`, if the daemon has read it.
  func response(to problem: Problem, id: RequestID, origin: HeaderValue?) -> Response

  /// Called once for every request, when the system has taken the last byte of its
  /// response or the client has disconnected.
  func completed(_ record: AccessRecord)
}

/// The decision on how to handle a request whose head has arrived.
package struct Admission {
  package enum Verdict {
    /// The reader receives the chunks of the body as they arrive. Then `answer` returns the response. The daemon
    /// cancels it if the client disconnects.
    case read(any BodyReader, answer: @Sendable (Request) async -> Response)
    /// The response to a request without a body is already known.
    case answer(Response)
    /// Refuses the request. The daemon drops a body that is still arriving.
    case refuse(Response)
    /// The service needs time to decide. The daemon reads no body until `decide` returns, and cancels it if the client
    /// disconnects. The admission that it returns has another verdict.
    case wait(_ decide: @Sendable () async -> Admission)
  }

  package let verdict: Verdict
  /// The maximum size of the body, in bytes.
  package let bodyLimit: Int
  /// The route of the request, or `nil` if it has none.
  package let route: RouteID?
  /// Whether the response may take longer than the time limit for requests. The service ends it itself, and the daemon
  /// cancels it if the client disconnects.
  package let isLongRunning: Bool

  /// Answers the request after its body has been read.
  package init(
    body: any BodyReader, bodyLimit: Int, route: RouteID? = nil, isLongRunning: Bool = false,
    answer: @escaping @Sendable (Request) async -> Response
  ) {
    (verdict, self.bodyLimit, self.route) = (.read(body, answer: answer), bodyLimit, route)
    self.isLongRunning = isLongRunning
  }

  /// Answers a request that takes no body with a response that is already known.
  package init(answering response: Response, route: RouteID?) {
    (verdict, bodyLimit, self.route) = (.answer(response), 0, route)
    isLongRunning = false
  }

  /// Decides when `decide` returns.
  package init(waiting decide: @escaping @Sendable () async -> Admission) {
    (verdict, bodyLimit, route) = (.wait(decide), 0, nil)
    isLongRunning = false
  }

  /// Refuses the request.
  package init(refusing response: Response, route: RouteID? = nil) {
    (verdict, bodyLimit, self.route) = (.refuse(response), 0, route)
    isLongRunning = false
  }
}

/// Reads a request's body chunk by chunk. Used by one thread at a time.
package protocol BodyReader: AnyObject {
  /// Receives the next chunk, which is valid only during the call.
  ///
  /// - Throws: the problem with the body. The reader then receives no more chunks.
  func receive(_ piece: UnsafeRawBufferPointer) throws(Problem)

  /// Returns the body after its last chunk.
  func finish() throws(Problem) -> RequestBody

  /// Ends an incomplete body, because the client disconnected or was too slow. The reader receives no more calls.
  func end()
}

extension BodyReader {
  /// Most readers have nothing to do for an incomplete body.
  package func end() {}
}

/// For requests without a body. Their limit is 0, so the daemon refuses a body before a chunk arrives here.
package final class NoBody: BodyReader {
  package init() {}

  package func receive(_ piece: UnsafeRawBufferPointer) {}

  package func finish() throws(Problem) -> RequestBody { .none }
}

/// One line of the access log.
package struct AccessRecord: Sendable {
  package enum Outcome: String, Sendable {
    /// The system has taken the whole response.
    case answered
    /// The client disconnected first.
    case gone
  }

  package let id: RequestID
  /// The same as ``RequestHead/peer``.
  package let peer: String
  /// As the client sent it; empty if the request line could not be parsed.
  package var method: String
  package var target: String
  /// The route of the request; `nil` if it has none, or could not be parsed.
  package let route: RouteID?
  /// `nil` if the request got no response.
  package let status: Status?
  package let bodyBytes: Int
  package let seconds: Double
  package let outcome: Outcome

  package init(
    id: RequestID, peer: String, method: String, target: String, route: RouteID?, status: Status?,
    bodyBytes: Int, seconds: Double, outcome: Outcome
  ) {
    (self.id, self.peer, self.method, self.target) = (id, peer, method, target)
    self.route = route
    (self.status, self.bodyBytes, self.seconds, self.outcome) = (
      status, bodyBytes, seconds, outcome
    )
  }
}
