import Bytes
import HTTP
import Synchronization

extension Exchange {
  /// Queues the response. Call it only inside the access handler.
  func queue(_ response: Response, closing: Bool, on connection: Connection) -> CallbackResult {
    let id = state.withLock { $0.id }
    let closing = closing || registry.isDraining
    let forms = closing ? nil : response.forms
    guard let reply = forms?.take() as? Reply ?? Reply(response, of: self),
      reply.queue(on: connection, response.status, id: id, closing: closing)
    else { return .close }
    note(response, isWrittenByHand: false)
    if let stream = response.stream { begin(stream, after: response.body, on: connection) }
    if let forms { sent = (reply, forms) }
    client.expect(
      .sending,
      until: registry.configuration.deadlines.deadline(sending: response.byteCount, from: .now))
    return .proceed
  }

  /// Stores the stream for the content reader. libmicrohttpd does not call the content reader for HEAD.
  private func begin(
    _ stream: any BodyStream, after beginning: Bytes, on connection: Connection
  ) {
    guard !isHead else { return }
    let flow = ResponseStreamState(stream, after: beginning, on: connection)
    state.withLock { ($0.flow, $0.bodyBytes) = (flow, 0) }
    client.giveUp(afterSilence: registry.configuration.deadlines.stillSeconds)
    registry.beginStream()
  }

  /// Whether the response has no body because the request method is HEAD.
  var isHead: Bool { state.withLock { $0.method == Method.head.rawValue } }

  /// Writes the response without libmicrohttpd. The caller must then close the connection.
  func write(_ response: Response, to connection: Connection) {
    let id = state.withLock { $0.id }
    let message = PlainMessage(response, id: id, withBody: !isHead)
    if connection.write(message) { note(response, isWrittenByHand: true) }
  }

  /// Answers in place of libmicrohttpd if the Content-Length is not a number, or if the cookies do not fit into the
  /// connection's memory, and prevents libmicrohttpd from sending a response.
  ///
  /// Call it before the head is passed to the access handler, on the connection's thread.
  func refuseHead(on connection: Connection) {
    guard let problem = Self.problem(ofHeadOn: connection) else { return }
    client.heading = nil
    state.withLock { state in
      if let id = connection.value(of: .xRequestID).flatMap({ RequestID($0) }) { state.id = id }
      state.origin = connection.value(of: .origin).flatMap { HeaderValue($0) }
    }
    write(refusal(problem), to: connection)
    client.endWriting()
  }

  private static func problem(ofHeadOn connection: Connection) -> Problem? {
    if connection.value(of: .transferEncoding) == nil,
      let length = connection.value(of: .contentLength)
    {
      do throws(Problem) { _ = try FramingGate.contentLength(length) } catch { return error }
    }
    // libmicrohttpd reads the cookies once it has all fields. It stops if they do not fit.
    guard connection.hasAllFields, connection.value(of: .cookie) != nil else { return nil }
    return Problem(.headerTooLarge)
  }

  /// The response to a client that the server cut in the middle of its request, or `nil` if no response is due.
  private var lastWord: Response? {
    guard let reason = client.cutReason else { return nil }
    return switch (reason, state.withLock { $0.phase }) {
    case (.slowHead, .heading), (.slowBody, .receiving): refusal(Problem(.requestTimeout))
    case (.slowBody, .dropping(let response, _)): response
    default: nil
    }
  }

  private func note(_ response: Response, isWrittenByHand: Bool) {
    state.withLock { state in
      state.phase = .sending
      state.status = response.status
      state.bodyBytes =
        state.method == Method.head.rawValue || response.status.isBodiless ? 0 : response.byteCount
      state.isWrittenByHand = isWrittenByHand
    }
  }

  /// Handles the completion callback, the last call for this request. Called once.
  ///
  /// - Parameter wasSent: whether libmicrohttpd sent a complete response.
  func complete(_ connection: Connection, wasSent: Bool) {
    if let sent { sent.forms.put(sent.reply) }
    if let lastWord { write(lastWord, to: connection) }
    // Still set if the body is incomplete.
    reception?.body.end()
    reception = nil
    let queuedStatus = connection.queuedStatus
    let now = Moment.now
    client.expect(
      .idle, until: now.after(seconds: registry.configuration.deadlines.keepAliveSeconds))
    let record = state.withLock { state in
      state.phase = .gone
      if state.flow != nil { registry.endStream() }
      state.flow = nil
      // libmicrohttpd itself refuses requests that it cannot parse.
      let isAnswered =
        wasSent || state.isWrittenByHand || state.status == nil && queuedStatus != nil
      return AccessRecord(
        id: state.id, peer: state.peer,
        method: state.method, target: target ?? "", route: state.route,
        status: state.status ?? queuedStatus, bodyBytes: state.bodyBytes,
        seconds: now.seconds(since: began),
        outcome: isAnswered && !state.isAbandoned ? .answered : .gone)
    }
    registry.service.completed(record)
    registry.leave()
  }
}
