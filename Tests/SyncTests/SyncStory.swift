import Synchronization

/// The events of a life in order, to explain complaints. Safe to use from any thread.
final class SyncStory: Sendable {
  private let began = ContinuousClock.now
  private let told = Mutex<[String]>([])

  func tell(_ what: String) {
    let milliseconds = Int((ContinuousClock.now - began) / .milliseconds(1))
    told.withLock { $0.append("\(milliseconds) ms: \(what)") }
  }

  var lines: [String] { told.withLock(\.self) }

  /// The events of this meme, and those that concern no single meme.
  func lines(of meme: String) -> [String] {
    lines.filter { $0.contains(meme) || !$0.contains(/[0-9a-f]{8}-[0-9a-f]{4}/) }
  }
}
