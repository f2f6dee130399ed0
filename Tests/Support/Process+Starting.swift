package import Foundation
import Synchronization

private let launches = Mutex(())

extension Process {
  /// Starts it while no other one is started here: a child that is made at the same moment would get what this one is told of its
  /// end by, and hold it open for as long as it lives.
  @discardableResult
  package func startAlone() throws -> ProcessEnd {
    let end = ProcessEnd()
    terminationHandler = { _ in end.come() }
    try launches.withLock { _ in try run() }
    return end
  }
}

extension Pipe {
  /// A pipe that no child has which was just being started: it would hold the end open that somebody reads to.
  package static func alone() -> Pipe { launches.withLock { _ in Pipe() } }
}

/// The end of a process, for any thread to wait for.
///
/// `waitUntilExit()` waits too; but on another thread than the one that started the process it looks again and again without a
/// pause, and takes a whole core.
package final class ProcessEnd: Sendable {
  private let isOver = DispatchSemaphore(value: 0)
  private let state = Mutex(false)

  fileprivate func come() {
    state.withLock { $0 = true }
    isOver.signal()
  }

  /// Whether it has come.
  package var hasCome: Bool { state.withLock(\.self) }

  package func wait() {
    isOver.wait()
    isOver.signal()
  }
}
