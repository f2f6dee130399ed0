import Synchronization

/// What happened in a life, in its order, for whoever wants to know why it went wrong. Safe to use from any thread.
final class SyncStory: Sendable {
  private let began = ContinuousClock.now
  private let told = Mutex<[String]>([])

  func tell(_ what: String) {
    let milliseconds = Int((ContinuousClock.now - began) / .milliseconds(1))
    told.withLock { $0.append("\(milliseconds) ms: \(what)") }
  }

  var lines: [String] { told.withLock(\.self) }

  /// What happened to this meme, and to all of them.
  func lines(of meme: String) -> [String] {
    lines.filter { $0.contains(meme) || !$0.contains(/[0-9a-f]{8}-[0-9a-f]{4}/) }
  }
}
