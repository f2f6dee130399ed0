/// What a daemon serves. Its calls come from the daemon's threads and must not block, but for ``Admission/answer``,
/// which may wait as it likes.
package protocol Service: Sendable {
  /// Decides what becomes of a request whose head has arrived.
  func admit(_ head: RequestHead) -> Admission

  /// The answer to a request that the daemon itself refuses.
  ///
  /// - Parameters:
  ///   - id: the request's id, as in `X-Request-Id`.
  ///   - origin: the request's `Origin`, as far as it was read.
  func response(to problem: Problem, id: RequestID, origin: HeaderValue?) -> Response

  /// Called once for every request, when the last byte of its answer was handed over or its client is gone.
  func completed(_ record: AccessRecord)
}

/// What becomes of a request whose head has arrived.
package struct Admission {
  package enum Verdict {
    /// The body's pieces go to the reader as they come; once it is read, `answer` makes the answer. Cancelled when the
    /// client is gone.
    case read(any BodyReader, answer: @Sendable (Request) async -> Response)
    /// The answer to a request without a body is known already.
    case answer(Response)
    /// A body that is on its way is dropped.
    case refuse(Response)
  }

  package let verdict: Verdict
  /// How many bytes a body may have.
  package let bodyLimit: Int
  /// The route that the request goes to; `nil` where there is none.
  package let route: RouteMark?
  /// Whether the answer may take longer than a request may: it has an end of its own, and is cancelled when the client is gone.
  package let isLongRunning: Bool

  /// Answers the request once its body is read.
  package init(
    body: any BodyReader, bodyLimit: Int, route: RouteMark? = nil, isLongRunning: Bool = false,
    answer: @escaping @Sendable (Request) async -> Response
  ) {
    (verdict, self.bodyLimit, self.route) = (.read(body, answer: answer), bodyLimit, route)
    self.isLongRunning = isLongRunning
  }

  /// Answers a request that takes no body with what is known already.
  package init(answering response: Response, route: RouteMark?) {
    (verdict, bodyLimit, self.route) = (.answer(response), 0, route)
    isLongRunning = false
  }

  /// Refuses the request.
  package init(refusing response: Response, route: RouteMark? = nil) {
    (verdict, bodyLimit, self.route) = (.refuse(response), 0, route)
    isLongRunning = false
  }
}

/// Reads a request's body piece by piece. Used by one thread at a time.
package protocol BodyReader: AnyObject {
  /// Takes the next piece, which is valid during the call only.
  ///
  /// - Throws: what is wrong with the body. Nothing more is delivered then.
  func receive(_ piece: UnsafeRawBufferPointer) throws(Problem)

  /// The body after its last piece.
  func finish() throws(Problem) -> RequestBody

  /// The client went away, or was too slow, before the body's end. Nothing more is delivered, and nobody is answered.
  func end()
}

extension BodyReader {
  /// Half a body is nothing to most.
  package func end() {}
}

/// For requests without a body: whatever comes is too large.
package final class NoBody: BodyReader {
  package init() {}

  package func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) {
    guard piece.isEmpty else {
      throw Problem(.contentTooLarge, "This request takes no body.")
    }
  }

  package func finish() throws(Problem) -> RequestBody { .none }
}

/// One line of the access log.
package struct AccessRecord: Sendable {
  package enum Outcome: String, Sendable {
    /// The whole answer was handed to the system.
    case answered
    /// The client went away first.
    case gone
  }

  package let id: RequestID
  /// As ``RequestHead/peer``.
  package let peer: String
  /// As sent; empty where the request line was not understood.
  package var method: String
  package var target: String
  /// The route that it went to; `nil` where there is none, or the request was not understood.
  package let route: RouteMark?
  /// `nil` where there was no answer.
  package let status: Status?
  package let bodyBytes: Int
  package let seconds: Double
  package let outcome: Outcome

  package init(
    id: RequestID, peer: String, method: String, target: String, route: RouteMark?, status: Status?,
    bodyBytes: Int, seconds: Double, outcome: Outcome
  ) {
    (self.id, self.peer, self.method, self.target) = (id, peer, method, target)
    self.route = route
    (self.status, self.bodyBytes, self.seconds, self.outcome) = (
      status, bodyBytes, seconds, outcome
    )
  }
}
