import Synchronization

/// Whether somebody wants a command to end in good order, and by which signal. The second one ends it at once.
final class StopSignal: Sendable {
  private let number = Atomic<Int32>(0)

  /// Listens as long as the process lives.
  init() {
    let termination = Termination()
    Task.detached { [self] in
      let name = await termination.signal()
      number.store(name == "SIGINT" ? 2 : 15, ordering: .relaxed)
      // There is no other, but as long as this waits the second one ends the process.
      _ = await termination.signal()
    }
  }

  var hasCome: Bool { number.load(ordering: .relaxed) != 0 }

  /// As the shell tells of a process that a signal ended; `nil` where none came.
  var exitCode: Int32? {
    let number = number.load(ordering: .relaxed)
    return number == 0 ? nil : 128 + number
  }
}
