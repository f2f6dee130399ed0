/// Finds the largest size at which a text, with its outline, fits a box.
struct CaptionFitter {
  let layout: TextLayout
  /// The pen around the letters, in em; half of it is outside them.
  let pen: Double
  /// Width and height of the box in pixels.
  let width: Double
  let height: Double

  /// A text that fits.
  struct Fit {
    /// Pixels per em.
    let size: Double
    let lines: [LineInk]
    /// Pixels from the top of the ink, outline included, to each baseline.
    let baselines: [Double]
    /// Pixels of the whole, outline included.
    let width: Double
    let height: Double
    /// What makes the layout break into these lines again.
    let breaking: TextLayout.Breaking
  }

  /// The distance between the baselines of plain capitals, in em: 1.41 times their height.
  private static let leading = 1.41 * CaptionFace.capHeight
  /// What stays between the outlines of two lines when accents or descenders push them apart, in em.
  private static let clearance = 0.02

  /// The largest size in `sizes` at which the text fits, balanced; `nil` where it fits at none.
  func largest(in sizes: ClosedRange<Double>, wrap: TextLayout.Wrap) -> Fit? {
    if let fit = fit(at: sizes.upperBound, wrap) { return balanced(fit, wrap) }
    guard var best = fit(at: sizes.lowerBound, wrap) else { return nil }
    var (low, high) = (sizes.lowerBound, sizes.upperBound)
    while high - low > max(0.1, low * 0.0015) {
      let middle = (low + high) / 2
      if let fit = fit(at: middle, wrap) { (low, best) = (middle, fit) } else { high = middle }
    }
    return balanced(best, wrap)
  }

  /// Wraps as wide as the box allows and measures.
  private func fit(at size: Double, _ wrap: TextLayout.Wrap) -> Fit? {
    layout.wrap(to: width / size - pen, wrap)
    return measure(at: size)
  }

  /// The lines of `fit` at the same size and number, broken so that the longest is as short as can be.
  private func balanced(_ fit: Fit, _ wrap: TextLayout.Wrap) -> Fit {
    let count = fit.lines.count
    // What does not break even in the widest box has nothing to balance.
    layout.wrap(to: 0, .nowhere)
    guard count > layout.lineCount else { return self.fit(at: fit.size, wrap) ?? fit }
    var (low, high) = (0.0, width / fit.size - pen)
    for _ in 0..<12 {
      let middle = (low + high) / 2
      layout.wrap(to: middle, wrap)
      if layout.lineCount == count { high = middle } else { low = middle }
    }
    layout.wrap(to: high, wrap)
    if layout.lineCount == count, let better = measure(at: fit.size) { return better }
    return self.fit(at: fit.size, wrap) ?? fit
  }

  /// Measures the lines as they are; `nil` where they do not fit the box.
  private func measure(at size: Double) -> Fit? {
    let lines = layout.lines
    let inkWidth = ((lines.map(\.width).max() ?? 0) + pen) * size
    guard inkWidth <= width else { return nil }
    var baselines: [Double] = []
    var previous: LineInk?
    for line in lines {
      // Whole pixels, so that the feet of the letters are sharp.
      let step =
        previous.map { distance(from: $0, to: line) } ?? (ascent(of: line) + pen / 2)
      baselines.append((baselines.last ?? 0) + (step * size).rounded(.up))
      previous = line
    }
    let bottom = (baselines.last ?? 0) + (max(0, lines.last?.descent ?? 0) + pen / 2) * size
    guard bottom <= height else { return nil }
    return Fit(
      size: size, lines: lines, baselines: baselines, width: inkWidth, height: bottom,
      breaking: layout.breaking)
  }

  private func ascent(of line: LineInk) -> Double {
    line.isBlank ? CaptionFace.capHeight : line.ascent
  }

  private func distance(from upper: LineInk, to lower: LineInk) -> Double {
    guard !upper.isBlank, !lower.isBlank else { return Self.leading }
    return max(Self.leading, upper.descent + lower.ascent + pen + Self.clearance)
  }
}
