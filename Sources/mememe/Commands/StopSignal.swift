import Synchronization

/// Records whether a signal asked the command to stop cleanly, and which one. A second signal ends the process at once.
final class StopSignal: Sendable {
  private let number = Atomic<Int32>(0)

  /// Listens until the process exits.
  init() {
    let termination = Termination()
    Task.detached { [self] in
      let name = await termination.signal()
      number.store(name == "SIGINT" ? 2 : 15, ordering: .relaxed)
      // Only one signal is ever reported, but `termination` must stay alive so that the second signal ends the process.
      _ = await termination.signal()
    }
  }

  var hasCome: Bool { number.load(ordering: .relaxed) != 0 }

  /// The exit code that a shell reports for a process ended by this signal; `nil` if no signal came.
  var exitCode: Int32? {
    let number = number.load(ordering: .relaxed)
    return number == 0 ? nil : 128 + number
  }
}
