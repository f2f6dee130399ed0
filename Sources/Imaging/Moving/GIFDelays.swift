/// The times for which the frames of a GIF are displayed. GIF counts in hundredths of a second.
enum GIFDelays {
  /// Browsers display a frame for 100 ms if its delay is not longer.
  private static let ignored = 10
  private static let unit = 10

  /// Rounds delays so that every part of the animation takes about as long as before: what a frame gains or loses by
  /// rounding, the next one loses or gains. A delay that browsers obey stays one.
  ///
  /// - Parameter delays: in milliseconds, as is the result.
  static func rounded(_ delays: [Int]) -> [Int] {
    var rest = 0
    return delays.map { delay in
      guard delay > ignored else { return delay }
      rest += delay
      let rounded = max(ignored + unit, (rest + unit / 2) / unit * unit)
      // Frames that cannot be as short as before must not shorten a longer one.
      rest = max(rest - rounded, -unit / 2)
      return rounded
    }
  }
}
