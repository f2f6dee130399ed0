/// How long to wait after a failure, and longer after the next.
struct Backoff {
  private static let first = Duration.seconds(1)
  private static let longest = Duration.seconds(300)
  private var pause = Self.first
  private let random: @Sendable () -> Double

  /// - Parameter random: a number from 0 up to 1, by which a pause is cut, so that devices do not come back all at once.
  init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
    self.random = random
  }

  /// The pause after one more failure: from half of what it may be up to all of it.
  mutating func next() -> Duration {
    defer { pause = min(pause * 2, Self.longest) }
    return pause * (1 - random() / 2)
  }

  mutating func reset() { pause = Self.first }
}
