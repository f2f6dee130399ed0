/// Pauses after consecutive failures, each longer than the one before.
struct Backoff {
  private static let first = Duration.seconds(1)
  private static let longest = Duration.seconds(300)
  private var pause = Self.first
  private let random: @Sendable () -> Double

  /// - Parameter random: Returns a number from 0 up to 1 that shortens a pause, so that devices do not retry in unison.
  init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
    self.random = random
  }

  /// Returns the pause after another failure: from half of its maximum to the maximum.
  mutating func next() -> Duration {
    defer { pause = min(pause * 2, Self.longest) }
    return pause * (1 - random() / 2)
  }

  mutating func reset() { pause = Self.first }
}
