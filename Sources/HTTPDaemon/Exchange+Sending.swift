import Bytes
import HTTP
import Synchronization

extension Exchange {
  /// Queues the response. Inside of the handler callback only.
  func queue(_ response: Response, closing: Bool, on connection: Connection) -> Verdict {
    let id = state.withLock { $0.id }
    guard let reply = Reply(response, id: id, closing: closing || hall.isDraining),
      reply.queue(on: connection, response.status)
    else { return .cut }
    note(response, isWrittenByHand: false)
    return .goOn
  }

  /// Writes the response past libmicrohttpd. The connection must be closed then.
  func write(_ response: Response, to connection: Connection) {
    guard let socket = connection.socket else { return }
    let id = state.withLock { $0.id }
    if PlainMessage.write(response, id: id, to: socket) { note(response, isWrittenByHand: true) }
  }

  private func note(_ response: Response, isWrittenByHand: Bool) {
    state.withLock { state in
      state.phase = .sending
      state.status = response.status
      state.bodyBytes =
        state.method == Method.head.rawValue || response.status.isBodiless ? 0 : response.body.count
      state.isWrittenByHand = isWrittenByHand
    }
  }

  /// The completion callback: nothing more is said about this request. Called once.
  ///
  /// - Parameter wasSent: whether libmicrohttpd handed over a whole answer.
  func complete(_ connection: Connection, wasSent: Bool) {
    let queuedStatus = connection.queuedStatus
    let elapsed = ContinuousClock.now - began
    let record = state.withLock { state in
      state.phase = .gone
      // libmicrohttpd refuses what it cannot read by itself.
      let isAnswered =
        wasSent || state.isWrittenByHand || state.status == nil && queuedStatus != nil
      return AccessRecord(
        id: state.id, peer: state.peer.isEmpty ? connection.client?.peer ?? "" : state.peer,
        method: state.method, target: target ?? "", route: state.route,
        status: state.status ?? queuedStatus, bodyBytes: state.bodyBytes,
        seconds: elapsed / .seconds(1),
        outcome: isAnswered && !state.isAbandoned ? .answered : .gone)
    }
    hall.service.completed(record)
    hall.leave()
  }
}
