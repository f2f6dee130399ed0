import Dispatch
import Memes
import Synchronization
import Testing

@testable import Mail

struct MailThreadTests {
  /// Blocks the mail thread in one mail until `end()`.
  private final class Holding: Sendable {
    let thread = MailThread()
    let sent = Atomic(0)
    private let isHeld = DispatchSemaphore(value: 0)
    private let mayGo = DispatchSemaphore(value: 0)

    /// Blocks the thread. Returns when it is blocked.
    func begin() async -> Task<MailError?, Never> {
      let task = Task { [self] () -> MailError? in
        await outcome { [isHeld, mayGo] in
          isHeld.signal()
          mayGo.wait()
        }
      }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [isHeld] in
          isHeld.wait()
          continuation.resume()
        }
      }
      return task
    }

    func end() { mayGo.signal() }

    func outcome(
      _ deliver: @escaping @Sendable () throws(MailError) -> Void
    ) async -> MailError? {
      do throws(MailError) {
        try await thread.run(deliver)
        return nil
      } catch { return error }
    }
  }

  @Test func `the number of waiting mails is limited`() async {
    let holding = Holding()
    let first = await holding.begin()
    await withTaskGroup(of: MailError?.self) { group in
      for _ in 0...MailThread.maximumWaiting {
        group.addTask {
          await holding.outcome { holding.sent.add(1, ordering: .relaxed) }
        }
      }
      // The others cannot end before the thread continues.
      #expect(await group.next() == .overloaded)
      holding.end()
      for await outcome in group { #expect(outcome == nil) }
    }
    #expect(await first.value == nil)
    #expect(holding.sent.load(ordering: .relaxed) == MailThread.maximumWaiting)
  }

  @Test func `cancellation removes a waiting mail but not the current one`() async {
    let holding = Holding()
    let first = await holding.begin()
    let second = Task { await holding.outcome { Issue.record("It was taken back.") } }
    first.cancel()
    second.cancel()
    // Immediately, not when the turn of the mail comes.
    #expect(await second.value == .overloaded)
    holding.end()
    #expect(await first.value == nil)
  }

  @Test func `the thread restarts after it ends, and an error affects one mail only`() async {
    let holding = Holding()
    for turn in 0..<100 {
      let failure = MailError.refused(status: 500 + turn)
      #expect(await holding.outcome { () throws(MailError) in throw failure } == failure)
      #expect(await holding.outcome {} == nil)
    }
  }
}
