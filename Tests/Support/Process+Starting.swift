package import Foundation
import Synchronization

private let launches = Mutex(())

extension Process {
  /// Starts the process while no other process is started here. A child that starts at the same moment would inherit
  /// the descriptor that reports the end of this process, and keep it open for as long as it lives.
  @discardableResult
  package func startAlone() throws -> ProcessEnd {
    let end = ProcessEnd()
    terminationHandler = { _ in end.come() }
    try launches.withLock { _ in try run() }
    return end
  }
}

extension Pipe {
  /// Creates a pipe while no child is started. The child would inherit the write end, and a reader would not see the
  /// end.
  ///
  /// From then on, a write to a closed pipe or connection is an error, and no longer a signal that ends the tests. The
  /// program ignores this signal too.
  package static func alone() -> Pipe {
    signal(SIGPIPE, SIG_IGN)
    return launches.withLock { _ in Pipe() }
  }
}

/// The end of a process, for which any thread can wait.
///
/// `waitUntilExit()` waits too. But on another thread than the one that started the process, it polls without a pause
/// and uses a whole core.
package final class ProcessEnd: Sendable {
  private let isOver = DispatchSemaphore(value: 0)
  private let state = Mutex(false)

  fileprivate func come() {
    state.withLock { $0 = true }
    isOver.signal()
  }

  /// Whether the process has ended.
  package var hasCome: Bool { state.withLock(\.self) }

  package func wait() {
    isOver.wait()
    isOver.signal()
  }
}
