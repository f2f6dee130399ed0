import Synchronization

/// Holds one value for one reader. Values that arrive while no reader waits are merged into one.
final class Mailbox<Value: Sendable>: Sendable {
  private typealias Reader = CheckedContinuation<Value?, Never>

  private struct State {
    var value: Value?
    var reader: Reader?
  }

  private let state = Mutex(State())

  /// - Parameter merge: Merges a new value into the waiting one.
  func put(_ value: Value, _ merge: (inout Value, Value) -> Void) {
    let reader = state.withLock { state -> Reader? in
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      if var waiting = state.value {
        merge(&waiting, value)
        state.value = waiting
      } else {
        state.value = value
      }
      return nil
    }
    reader?.resume(returning: value)
  }

  /// Waits for a value. Only one task can wait at a time.
  ///
  /// - Returns: `nil` if the task is cancelled or another task has started to wait.
  func take() async -> Value? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let (earlier, known) = state.withLock { state -> (Reader?, Value??) in
          if Task.isCancelled { return (nil, .some(nil)) }
          if let value = state.value {
            state.value = nil
            return (nil, .some(value))
          }
          defer { state.reader = reader }
          return (state.reader, nil)
        }
        earlier?.resume(returning: nil)
        if let known { reader.resume(returning: known) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: nil)
    }
  }
}
