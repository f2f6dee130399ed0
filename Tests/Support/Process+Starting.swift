package import Foundation
import Synchronization

private let launches = Mutex(())

extension Process {
  /// Starts it while no other one is started here: a child that is made at the same moment would get what this one is told of its
  /// end by, and hold it open for as long as it lives.
  package func startAlone() throws { try launches.withLock { _ in try run() } }
}
