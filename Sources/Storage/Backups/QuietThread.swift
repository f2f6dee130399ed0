import Foundation
import Synchronization

/// A thread of low priority, for background work that must not slow down requests.
///
/// Tasks run on it with `withTaskExecutorPreference`, including their child tasks. Call ``end()`` after all work is
/// done.
final class QuietThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let isNeeded = DispatchSemaphore(value: 0)

  init() {
    let thread = Thread { [self] in run() }
    thread.name = "quiet"
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    isNeeded.signal()
  }

  /// Ends the thread after the work that is already enqueued.
  func end() {
    state.withLock { $0.isOver = true }
    isNeeded.signal()
  }

  private func run() {
    Self.giveWay()
    while true {
      isNeeded.wait()
      let (job, isOver) = state.withLock { state in
        (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isOver)
      }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isOver {
        return
      }
    }
  }

  /// Lowers the priority of the current thread.
  private static func giveWay() {
    #if os(Linux)
      // On Linux, each thread has its own nice value, contrary to POSIX: see sched(7).
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
    #else
      setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG)
    #endif
  }
}
