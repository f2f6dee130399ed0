import Foundation
import Synchronization

/// One thread of low priority, for work that nobody waits for and that would keep others from theirs.
///
/// Work goes to it by `withTaskExecutorPreference`, child tasks too. Call ``end()`` when all of it is done.
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

  /// The thread ends after what was given to it.
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

  /// Whoever else wants the processor goes first.
  private static func giveWay() {
    #if os(Linux)
      // sched(7): on Linux niceness is a thread's own, against what POSIX says.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
    #else
      setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG)
    #endif
  }
}
