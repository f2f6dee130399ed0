import HTTP
import Synchronization

/// The work of the access handler, all on the connection's thread.
extension Exchange {
  /// How many bytes of a refused body the server reads and drops, and for how long. Closing the
  /// connection earlier would lose the response.
  private static let (droppedBytes, droppingSeconds) = (256 << 10, 2.0)

  /// Handles the access handler's first call: the head is complete.
  func receiveHead(_ raw: RawHead, _ connection: Connection) -> CallbackResult {
    let id = state.withLock { state in
      state.method = raw.method
      if let id = raw[.xRequestID].flatMap({ RequestID($0) }) { state.id = id }
      state.origin = raw[.origin].flatMap { HeaderValue($0) }
      return state.id
    }
    let checked: CheckedHead
    do throws(Problem) {
      checked = try FramingGate.check(
        raw, maximumBytes: registry.configuration.maximumHeaderBytes)
    } catch {
      // The server cannot separate the body from a later request on this connection.
      return queue(refusal(error), closing: true, on: connection)
    }
    let head = RequestHead(
      method: checked.method, target: checked.target, headers: checked.headers, id: id,
      peer: peer(saidBy: checked.headers))
    return admit(head, checked, connection)
  }

  private func peer(saidBy headers: Headers) -> String {
    let proxies = registry.configuration.trustedProxies
    guard !proxies.isEmpty else {
      if headers[.xForwardedFor] != nil { registry.warnOfUnnamedProxy() }
      return client.peer
    }
    let peer = proxies.client(behind: client.peer, headers)
    state.withLock { $0.peer = peer }
    return peer
  }

  private func admit(
    _ head: RequestHead, _ checked: CheckedHead, _ connection: Connection
  ) -> CallbackResult {
    let admission = registry.service.admit(head)
    guard case .wait(let decide) = admission.verdict else {
      return follow(AdmittedHead(head: head, checked: checked, admission: admission), connection)
    }
    let phase = run(on: connection) { [self] in
      admitted = AdmittedHead(head: head, checked: checked, admission: await decide())
      return .admitted
    }
    switch phase {
    case .admitted: return followDecision(connection)
    case .answered(let response, _): return queue(response, closing: true, on: connection)
    default: return .proceed
    }
  }

  private func followDecision(_ connection: Connection) -> CallbackResult {
    guard let decided = admitted else { return .close }
    admitted = nil
    return follow(decided, connection)
  }

  /// Does what the service has decided about the head.
  private func follow(_ admitted: AdmittedHead, _ connection: Connection) -> CallbackResult {
    let (head, checked, admission) = (admitted.head, admitted.checked, admitted.admission)
    state.withLock { $0.route = admission.route }
    switch admission.verdict {
    case .refuse(let response):
      return refuse(response, checked, connection)
    case _ where checked.framing.knownLength > admission.bodyLimit:
      return refuse(refusal(Self.tooLarge(for: admission.bodyLimit)), checked, connection)
    case .answer(let response) where checked.framing == .none:
      // A response in the first call would close the connection.
      enter(.answered(response, closing: false))
    case .answer(let response):
      begin(
        RequestBodyState(head: head, body: NoBody(), limit: admission.bodyLimit) { _ in response },
        checked
      )
    case .read(let body, let answer):
      begin(
        RequestBodyState(
          head: head, body: body, limit: admission.bodyLimit,
          isLongRunning: admission.isLongRunning,
          answer: answer), checked)
    case .wait: return queue(refusal(Problem(.internalError)), closing: true, on: connection)
    }
    return .proceed
  }

  private func begin(_ reception: RequestBodyState, _ checked: CheckedHead) {
    self.reception = reception
    enter(.receiving)
    if checked.framing != .none { beginBody() }
  }

  private func refuse(
    _ response: Response, _ checked: CheckedHead, _ connection: Connection
  ) -> CallbackResult {
    if checked.expectsContinue { return queue(response, closing: true, on: connection) }
    if checked.framing == .none {
      enter(.answered(response, closing: false))
    } else if checked.framing.knownLength <= Self.droppedBytes {
      drop(answering: response)
    } else {
      // libmicrohttpd accepts no response before the end of the body.
      write(response, to: connection)
      client.endWriting()
      drop(enter: .draining(bytesLeft: Self.droppedBytes))
    }
    return .proceed
  }

  private func beginBody() {
    bodyDeadline = Moment.now.after(seconds: registry.configuration.deadlines.graceSeconds)
    client.expect(.receiving, until: bodyDeadline)
  }

  /// Handles a call with a chunk of the body. The chunk counts as consumed in any case.
  func receive(_ piece: UnsafeRawBufferPointer, _ connection: Connection) -> CallbackResult {
    switch phase {
    case .receiving:
      bodyDeadline = registry.configuration.deadlines.deadline(
        after: bodyDeadline, receiving: piece.count, at: .now)
      client.expect(.receiving, until: bodyDeadline)
      take(piece)
      return .proceed
    case .draining(let bytesLeft) where piece.count <= bytesLeft:
      enter(.draining(bytesLeft: bytesLeft - piece.count))
      return .proceed
    case .dropping(let response, let bytesLeft) where piece.count <= bytesLeft:
      enter(.dropping(response, bytesLeft: bytesLeft - piece.count))
      return .proceed
    case .dropping(let response, _):
      // libmicrohttpd accepts no response in the middle of a body.
      write(response, to: connection)
      return .close
    default: return .close
    }
  }

  /// Handles a call without a chunk: the body is complete, or the response is ready.
  func proceed(_ connection: Connection) -> CallbackResult {
    switch phase {
    // The head's call again, after the connection was resumed.
    case .admitted: return followDecision(connection)
    case .receiving:
      guard let response = answer(on: connection) else { return .proceed }
      return queue(response, closing: false, on: connection)
    case .dropping(let response, _): return queue(response, closing: true, on: connection)
    case .answered(let response, let closing):
      return queue(response, closing: closing, on: connection)
    case .suspended: return .proceed
    default: return .close
    }
  }

  private func take(_ piece: UnsafeRawBufferPointer) {
    guard let reception else { return }
    let count = reception.count + piece.count
    self.reception?.count = count
    do throws(Problem) {
      guard count <= reception.limit else { throw Self.tooLarge(for: reception.limit) }
      try reception.body.receive(piece)
    } catch {
      drop(answering: refusal(error))
    }
  }

  /// - Parameter limit: the maximum size of the body, in bytes. 0 if the endpoint takes none.
  private static func tooLarge(for limit: Int) -> Problem {
    Problem(.contentTooLarge, limit == 0 ? "This endpoint does not accept a request body." : nil)
  }

  /// - Returns: `nil` if the connection is suspended until the handler returns a response.
  private func answer(on connection: Connection) -> Response? {
    guard let reception else { return refusal(Problem(.internalError)) }
    self.reception = nil
    do throws(Problem) {
      let body = try reception.body.finish()
      return handle(Request(head: reception.head, body: body), after: reception, on: connection)
    } catch {
      return refusal(error)
    }
  }

  private func drop(answering response: Response) {
    drop(enter: .dropping(response, bytesLeft: Self.droppedBytes))
  }

  private func drop(enter phase: Phase) {
    // This frees the reader's memory at once.
    reception = nil
    enter(phase)
    bodyDeadline = Moment.now.after(seconds: Self.droppingSeconds)
    client.expect(.receiving, until: bodyDeadline)
  }

  private func enter(_ phase: Phase) { state.withLock { $0.phase = phase } }

  private var phase: Phase { state.withLock { $0.phase } }
}
