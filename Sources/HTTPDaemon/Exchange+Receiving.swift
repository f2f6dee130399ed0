import HTTP
import Synchronization

/// What libmicrohttpd's handler callback does, all on the thread that serves the connection.
extension Exchange {
  /// A refused body is dropped up to this, where twice the limit would be less.
  private static let minimumDrop = 64 << 10

  /// The callback's first call: the head is complete.
  func receiveHead(_ raw: RawHead, _ connection: Connection) -> Verdict {
    let id = state.withLock { state in
      state.method = raw.method
      if let id = raw[.xRequestID].flatMap({ RequestID($0) }) { state.id = id }
      state.origin = raw[.origin].flatMap { HeaderValue($0) }
      return state.id
    }
    let checked: CheckedHead
    do throws(Problem) {
      checked = try FramingGate.check(
        raw, maximumBytes: hall.configuration.maximumHeaderBytes)
    } catch {
      // What follows on this connection cannot be told apart from the body.
      return queue(refusal(error), closing: true, on: connection)
    }
    let head = RequestHead(
      method: checked.method, target: checked.target, headers: checked.headers, id: id,
      peer: client.peer)
    return admit(head, checked, connection)
  }

  private func admit(
    _ head: RequestHead, _ checked: CheckedHead, _ connection: Connection
  ) -> Verdict {
    let admission = hall.service.admit(head)
    state.withLock { $0.route = admission.route }
    var refused = admission.refusal
    if refused == nil, case .length(let count) = checked.framing, count > admission.bodyLimit {
      refused = refusal(Problem(.contentTooLarge))
    }
    guard let refused else {
      reception = Reception(head: head, admission: admission)
      enter(.receiving)
      if checked.framing != .none { beginBody() }
      return .goOn
    }
    if checked.expectsContinue { return queue(refused, closing: true, on: connection) }
    if checked.framing == .none {
      // A response in the first call would close the connection.
      enter(.answered(refused, closing: false))
    } else {
      drop(answering: refused, limit: admission.bodyLimit, alreadyCounted: 0)
      beginBody()
    }
    return .goOn
  }

  private func beginBody() {
    bodyDeadline = Moment.now.after(seconds: hall.configuration.graceSeconds)
    client.expect(.receiving, until: bodyDeadline)
  }

  /// The callback's call with a piece of the body. The piece counts as taken, whatever comes of it.
  func receive(_ piece: UnsafeRawBufferPointer, _ connection: Connection) -> Verdict {
    bodyDeadline = hall.configuration.deadline(
      after: bodyDeadline, receiving: piece.count, at: .now)
    client.expect(.receiving, until: bodyDeadline)
    switch phase {
    case .receiving:
      take(piece)
      return .goOn
    case .dropping(let response, let bytesLeft) where piece.count <= bytesLeft:
      enter(.dropping(response, bytesLeft: bytesLeft - piece.count))
      return .goOn
    case .dropping(let response, _):
      // libmicrohttpd takes no response in the middle of a body.
      write(response, to: connection)
      return .cut
    default: return .cut
    }
  }

  /// The callback's call without a piece: the body is complete, or the response is there.
  func proceed(_ connection: Connection) -> Verdict {
    switch phase {
    case .receiving:
      guard let response = answer(on: connection) else { return .goOn }
      return queue(response, closing: false, on: connection)
    case .dropping(let response, _): return queue(response, closing: true, on: connection)
    case .answered(let response, let closing):
      return queue(response, closing: closing, on: connection)
    case .suspended: return .goOn
    default: return .cut
    }
  }

  private func take(_ piece: UnsafeRawBufferPointer) {
    guard let reception else { return }
    let limit = reception.admission.bodyLimit
    let count = reception.count + piece.count
    self.reception?.count = count
    do throws(Problem) {
      guard count <= limit else { throw Problem(.contentTooLarge) }
      try reception.admission.body.receive(piece)
    } catch {
      drop(answering: refusal(error), limit: limit, alreadyCounted: count)
    }
  }

  /// - Returns: `nil` where the answer takes its time.
  private func answer(on connection: Connection) -> Response? {
    guard let reception else { return refusal(Problem(.internalError)) }
    self.reception = nil
    do throws(Problem) {
      let body = try reception.admission.body.finish()
      return handle(
        Request(head: reception.head, body: body), reception.admission.answer, on: connection)
    } catch {
      return refusal(error)
    }
  }

  private func drop(answering response: Response, limit: Int, alreadyCounted count: Int) {
    // What the reader holds is let go of at once.
    reception = nil
    let cap = max(limit.multipliedReportingOverflow(by: 2).partialValue, Self.minimumDrop)
    enter(.dropping(response, bytesLeft: max(cap - count, 0)))
  }

  private func enter(_ phase: Phase) { state.withLock { $0.phase = phase } }

  private var phase: Phase { state.withLock { $0.phase } }
}
