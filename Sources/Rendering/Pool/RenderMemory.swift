import Foundation
import Synchronization

/// The memory budget of all jobs. Jobs that do not fit wait for others to end, in the order of their
/// claims. Safe to use from any thread.
package final class RenderMemory: Sendable {
  /// A job that needs no more than this does not claim memory.
  package static let freeBytes = 64 << 20
  /// The interval in seconds for checking whether a waiting job is still wanted.
  private static let glance = 0.25

  package let capacity: Int
  private let state = Mutex(State())

  private struct State {
    var claimed = 0
    var waiting: [Claim] = []
    var nextNumber = 0
  }

  private struct Claim {
    let number: Int
    let bytes: Int
    let granted: DispatchSemaphore
  }

  package init(capacity: Int) { self.capacity = capacity }

  /// The memory that running jobs have claimed, in bytes.
  package var claimed: Int { state.withLock { $0.claimed } }
  /// The number of jobs that wait for memory.
  package var waiting: Int { state.withLock { $0.waiting.count } }

  /// Waits until this many bytes are free. A claim that exceeds the whole budget is
  /// granted when no other job holds memory.
  ///
  /// - Returns: `false` if `isOver` returned `true` before the memory was granted.
  func claim(_ bytes: Int, unless isOver: () -> Bool) -> Bool {
    let claim = state.withLock { state in
      state.nextNumber += 1
      let claim = Claim(
        number: state.nextNumber, bytes: bytes, granted: DispatchSemaphore(value: 0))
      state.waiting.append(claim)
      grant(&state)
      return claim
    }
    while claim.granted.wait(timeout: .now() + Self.glance) == .timedOut {
      guard isOver() else { continue }
      let wasWaiting = state.withLock { state in
        guard let place = state.waiting.firstIndex(where: { $0.number == claim.number }) else {
          return false
        }
        state.waiting.remove(at: place)
        // The claims behind it may fit now.
        grant(&state)
        return true
      }
      if wasWaiting { return false }
    }
    return true
  }

  func release(_ bytes: Int) {
    guard bytes > 0 else { return }
    state.withLock { state in
      state.claimed -= bytes
      grant(&state)
    }
  }

  private func grant(_ state: inout State) {
    while let first = state.waiting.first,
      state.claimed == 0 || first.bytes <= capacity - state.claimed
    {
      state.claimed += first.bytes
      state.waiting.removeFirst()
      first.granted.signal()
    }
  }
}
