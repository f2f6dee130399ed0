import Bytes
import HTTP
import Synchronization

/// Answers that go on, after their heads.
extension Exchange {
  /// What the reader callback has for libmicrohttpd.
  enum Portion {
    case bytes(Int)
    /// The connection is suspended until there is something.
    case nothing
    case end
  }

  /// Hands over what is there to be sent; where nothing is, asks the stream, on this thread until it really waits.
  ///
  /// Inside of the reader callback only, on the connection's thread. libmicrohttpd calls that when it has sent what it was given.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
    while true {
      switch hand(into: buffer) {
      case .portion(let portion):
        if case .bytes(let count) = portion { expectReader(of: count) } else { expectReader(of: 0) }
        return portion
      case .ask(let flow):
        let task = start { [self] in put(await flow.stream.next()) }
        if let portion = pause(flow.connection, until: task) { return portion }
      }
    }
  }

  private enum Step {
    case portion(Portion)
    case ask(Flow)
  }

  private func hand(into buffer: UnsafeMutableRawBufferPointer) -> Step {
    state.withLock { state in
      guard let count = state.flow?.hand(into: buffer) else { return .portion(.end) }
      state.bodyBytes += count
      if count > 0 { return .portion(.bytes(count)) }
      guard let flow = state.flow, !flow.isOver, !registry.isDraining else { return .portion(.end) }
      state.phase = .asking
      return .ask(flow)
    }
  }

  /// - Returns: `nil` where the stream did not have to wait.
  private func pause(_ connection: Connection, until task: Task<Void, Never>) -> Portion? {
    let portion = state.withLock { state -> Portion? in
      guard case .asking = state.phase else { return nil }
      // From here on another thread may find the exchange, but waits for this lock.
      guard registry.beginWaiting(self) else {
        state.phase = .sending
        state.flow?.end()
        return .end
      }
      state.phase = .paused(task)
      client.expect(.handling, until: .never)
      // Inside of the lock: whoever has the next piece must find the connection suspended.
      connection.suspend()
      return .nothing
    }
    if case .end = portion { task.cancel() }
    return portion
  }

  private func expectReader(of bytes: Int) {
    client.expect(
      .sending, until: registry.configuration.deadlines.deadline(sending: bytes, from: .now))
  }

  /// Stores what the stream has given, and lets the connection go on where it waits. Dropped where it comes too late.
  private func put(_ piece: Bytes?) {
    state.withLock { state in
      switch state.phase {
      case .asking: state.phase = .sending
      case .paused: resume(&state)
      default: return
      }
      state.flow?.add(piece)
    }
  }

  /// Ends an answer whose stream is being waited for, and cancels that. On any thread.
  ///
  /// - Parameter isAbandoned: whether the client is gone.
  func endStream(isAbandoned: Bool) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard case .paused(let task) = state.phase else { return nil }
      state.isAbandoned = isAbandoned
      state.flow?.end()
      resume(&state)
      return task
    }
    task?.cancel()
  }

  private func resume(_ state: inout State) {
    state.phase = .sending
    registry.endWaiting(self)
    state.flow?.connection.resume()
  }
}
