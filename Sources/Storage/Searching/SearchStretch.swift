/// The numbers of memes that a search looks at in one go: few at first, and as many as take some milliseconds.
///
/// Its edges lie between blocks of 1,024 numbers, so that the place where a search stops says nothing of a meme that is hidden.
struct SearchStretch {
  private static let blocks = 8...1 << 20
  /// Twice as many go next after less than the first, and half as many after more than the second.
  private static let (little, much) = (Duration.milliseconds(5), Duration.milliseconds(30))
  private static let block: Int64 = 1024

  private let direction: MemeDirection
  /// The highest number that there is.
  private let last: Int64
  /// Behind it the stretch begins.
  private(set) var start: Int64
  private var count = 16

  /// - Parameter start: where the page before ended.
  init(behind start: Int64, _ direction: MemeDirection, last: Int64) {
    (self.direction, self.last) = (direction, last)
    self.start = direction == .newest ? min(start, last + 1) : start
  }

  /// The last number of the stretch; `nil` if nothing is left.
  var edge: Int64? {
    let length = Int64(count) * Self.block
    switch direction {
    case .newest:
      guard start > 1 else { return nil }
      return max(1, (start - 1) / Self.block * Self.block - length + Self.block)
    case .oldest:
      guard start < last else { return nil }
      let next = (max(0, start) / Self.block * Self.block).addingReportingOverflow(length)
      return next.overflow ? .max : next.partialValue - 1
    }
  }

  /// Goes on behind the edge.
  ///
  /// - Parameter time: that this stretch took.
  mutating func advance(after time: Duration) {
    guard let edge else { return }
    start = edge
    if time < Self.little { count = min(count * 2, Self.blocks.upperBound) }
    if time > Self.much { count = max(count / 2, Self.blocks.lowerBound) }
  }
}
