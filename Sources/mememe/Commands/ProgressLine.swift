import Foundation
import Synchronization

/// The progress of a command, on standard error. A terminal gets a bar with rate and time left; any other output gets a
/// plain line every ten seconds.
///
/// Safe to use from any thread.
final class ProgressLine: Sendable {
  /// The unit of the progress.
  enum Unit {
    case bytes
    /// Items, with the name of their kind: `pictures`.
    case things(String)
  }

  private struct State {
    var began: ContinuousClock.Instant?
    /// The number of items that an earlier run finished. They must not count toward this run's rate.
    var first: Int64 = 0
    var shown: ContinuousClock.Instant?
    var isOnScreen = false
  }

  private let verb: String
  private let unit: Unit
  private let isScreen: Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameter verb: the activity, such as `copying`.
  init(
    _ verb: String, _ unit: Unit, isScreen: Bool = isatty(STDERR_FILENO) == 1,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    write: @escaping @Sendable (String) -> Void = {
      FileHandle.standardError.put($0)
    }
  ) {
    (self.verb, self.unit, self.isScreen, self.now, self.write) = (verb, unit, isScreen, now, write)
  }

  /// Shows the progress, at most ten times a second at a terminal and otherwise every ten seconds. The end
  /// is always shown.
  func show(_ done: Int64, of all: Int64) {
    state.withLock { state in
      let time = now()
      if state.began == nil { (state.began, state.first) = (time, done) }
      let pause: Duration = isScreen ? .milliseconds(100) : .seconds(10)
      if let shown = state.shown, done < all, time < shown + pause { return }
      // A log needs no line for 0 %.
      guard isScreen || state.shown != nil || done >= all else { return state.shown = time }
      state.shown = time
      let seconds = state.began.map { (time - $0) / .seconds(1) } ?? 0
      let text = text(done, all, rate: seconds > 0 ? Double(done - state.first) / seconds : 0)
      write(isScreen ? "\r\(text)\u{1B}[K" : "\(text)\n")
      state.isOnScreen = isScreen
    }
  }

  /// Erases the progress, so that other output can be written. Returns to the start of the line and erases
  /// it (ECMA-48, EL).
  func clear() {
    state.withLock { state in
      if state.isOnScreen { write("\r\u{1B}[K") }
      state.isOnScreen = false
    }
  }

  private func text(_ done: Int64, _ all: Int64, rate: Double) -> String {
    let part = all > 0 ? min(max(Double(done) / Double(all), 0), 1) : 1
    var words = ["\(verb):"]
    if isScreen { words.append(Self.bar(part)) }
    words.append("\(Int((part * 100).rounded(.down))) %, \(amount(done, of: all))")
    if rate > 0 {
      words[words.count - 1] += ", \(self.rate(rate))"
      if done < all { words[words.count - 1] += ", \(Self.time(Double(all - done) / rate)) left" }
    }
    return words.joined(separator: " ")
  }

  private func amount(_ done: Int64, of all: Int64) -> String {
    switch unit {
    case .bytes: "\(Self.megabytes(Double(done))) of \(Self.megabytes(Double(all))) MB"
    case .things(let name): "\(done) of \(all) \(name)"
    }
  }

  private func rate(_ rate: Double) -> String {
    switch unit {
    case .bytes: "\(Self.megabytes(rate)) MB/s"
    case .things: "\(Self.tenths(rate))/s"
    }
  }

  private static func bar(_ part: Double) -> String {
    let filled = Int(part * 30)
    return String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
  }

  private static func megabytes(_ bytes: Double) -> String { tenths(bytes / 1_000_000) }

  private static func tenths(_ number: Double) -> String {
    String(format: "%.1f", locale: Locale(identifier: "en_US_POSIX"), number)
  }

  /// `42 s`, `3:07` or `2:03:07`.
  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(seconds.rounded(.up), 360_000))
    guard seconds >= 60 else { return "\(seconds) s" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? String(format: "%d:%02d:%02d", hours, minutes, seconds % 60)
      : String(format: "%d:%02d", minutes, seconds % 60)
  }
}
