package import Metrics
import Synchronization

/// Counts the ends of helper processes. Safe to use from any thread.
package struct HelperMeter: Sendable {
  package enum End: String, CaseIterable, Sendable {
    /// The process ended by itself, or by a signal that the server did not send.
    case crash
    case late, unwanted, broken, memory
    /// The process had reached its maximum number of jobs or its maximum age.
    case age
    /// The process was idle for a while, and another one is ready.
    case idle
  }

  private let counters = End.allCases.map { _ in Counter() }
  /// The number of processes started.
  package let started = Counter()

  private let confined = LastConfinement()

  package init() {}

  func note(_ confinement: Confinement) {
    confined.value.store(confinement.rawValue, ordering: .relaxed)
  }

  /// The confinement of the process that was started last.
  package var confinement: Confinement {
    Confinement(rawValue: confined.value.load(ordering: .relaxed))
  }

  func count(_ end: End) {
    for (each, counter) in zip(End.allCases, counters) where each == end { counter.add() }
  }

  /// The number of processes for each kind of end.
  package var ends: [(End, Int)] { zip(End.allCases, counters).map { ($0, Int($1.value)) } }
}

private final class LastConfinement: Sendable {
  let value = Atomic(0)
}
