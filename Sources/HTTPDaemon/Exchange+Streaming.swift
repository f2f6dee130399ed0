import Bytes
import HTTP
import Synchronization

/// Streaming responses, after their heads.
extension Exchange {
  /// The content reader's result for libmicrohttpd.
  enum Portion {
    case bytes(Int)
    /// The connection is suspended until the stream has data.
    case nothing
    case end
  }

  /// Copies available data into the buffer. If none is available, this asks the stream, on
  /// this thread until the stream suspends.
  ///
  /// Call it only inside the content reader, on the connection's thread. libmicrohttpd calls the content
  /// reader when it has sent the previous data.
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
    case ask(ResponseStreamState)
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

  /// - Returns: `nil` if the stream did not have to suspend.
  private func pause(_ connection: Connection, until task: Task<Void, Never>) -> Portion? {
    let portion = state.withLock { state -> Portion? in
      guard case .asking = state.phase else { return nil }
      // From here on, another thread may find the exchange, but it waits for this lock.
      guard let wait = registry.beginWaiting(self, on: connection) else {
        state.phase = .sending
        state.flow?.end()
        return .end
      }
      state.phase = .paused(task, wait)
      client.expect(.handling, until: .never)
      // Inside the lock: the thread that stores the next chunk must find the connection suspended.
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

  /// Stores the stream's next chunk, and resumes the connection if it is suspended. A
  /// chunk that comes too late is dropped.
  private func put(_ piece: Bytes?) {
    resume { state in
      let ended: Wait?
      switch state.phase {
      case .asking: ended = nil
      case .paused(_, let wait): ended = wait
      default: return nil
      }
      state.phase = .sending
      state.flow?.add(piece)
      return ended
    }
  }

  /// Ends a response that waits for its stream, and cancels that wait. Safe to call on any thread.
  ///
  /// - Parameter isAbandoned: whether the client has disconnected.
  func endStream(isAbandoned: Bool) {
    var task: Task<Void, Never>?
    resume { state in
      guard case .paused(let paused, let wait) = state.phase else { return nil }
      task = paused
      state.isAbandoned = isAbandoned
      state.phase = .sending
      state.flow?.end()
      return wait
    }
    task?.cancel()
  }
}
