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
    /// Where the layout breaks into these lines.
    let breaks: BreakMap.Breaks
  }

  /// The distance between the baselines of plain capitals, in em: 1.41 times their height.
  private static let leading = 1.41 * CaptionFace.capHeight
  /// What stays between the outlines of two lines when accents or descenders push them apart, in em.
  private static let clearance = 0.02
  /// Lines are not worth fewer pixels of size than this.
  private static let gain = 0.45

  /// The largest size in `sizes` at which the text fits, over any number of lines, evenly broken; `nil` where it fits at
  /// none.
  func largest(in sizes: ClosedRange<Double>, wrap: BreakMap.Wrap) -> Fit? {
    let map = layout.breakMap
    var best: Fit?
    for count in map.typed.count + 1...map.mostLines(wrap) {
      // More lines are narrower, and higher: when their height alone leaves no room for better, nothing will.
      let tallest = height / max(Self.leading * Double(count - 1), .leastNonzeroMagnitude)
      guard tallest >= max(best?.size ?? 0, sizes.lowerBound) else { break }
      // Where two words would have to move at once, there is no narrower way with one line more.
      guard let breaks = map.narrowest(count, wrap), breaks.count + 1 == count else { continue }
      if let fit = fit(breaks, in: sizes).map({ raised($0, map, in: sizes) }),
        fit.size > (best?.size ?? 0) + Self.gain || best == nil || fit.size == sizes.upperBound
      {
        best = fit
      }
      if best?.size == sizes.upperBound { break }
    }
    guard let best, wrap == .words, !map.added(best.breaks).isEmpty else { return best }
    let limit = max(width / best.size - pen, map.width(best.breaks))
    // Letters reach out of their places by more or less, so it has to be tried.
    guard let even = map.balanced(like: best.breaks, within: limit),
      let fit = fit(even, in: sizes), fit.size >= best.size
    else { return best }
    return at(best.size, fit.lines, even)
  }

  /// The fit, or a larger one of as many lines: where accents or descenders cost height, they may fit better elsewhere.
  private func raised(_ fit: Fit, _ map: BreakMap, in sizes: ClosedRange<Double>) -> Fit {
    var (best, tried) = (fit, [fit])
    // What is as wide as the box is as large as it gets: no lines are narrower.
    while best.size < sizes.upperBound, best.width < width - 0.01, !isPlain(best.lines) {
      // Letters reach out of their places, but not by a tenth of a line.
      let larger = map.neighbours(of: best.breaks)
        .filter { width / (0.9 * map.width($0) + pen) > best.size }
        .compactMap { self.fit($0, in: sizes) }
      tried += larger
      guard let largest = larger.max(by: { $0.size < $1.size }), largest.size > best.size + 0.01
      else { break }
      best = largest
    }
    // Of those that are as good as the largest, the one whose lines are most alike.
    let good = tried.filter { $0.size >= best.size - Self.gain }
    return good.min { map.width($0.breaks) < map.width($1.breaks) } ?? best
  }

  /// Whether the lines are no higher than plain capitals are.
  private func isPlain(_ lines: [LineInk]) -> Bool {
    (lines.first?.ascent ?? 0) < CaptionFace.capHeight + 0.03 && (lines.last?.descent ?? 0) < 0.03
      && zip(lines, lines.dropFirst()).allSatisfy { distance(from: $0, to: $1) <= Self.leading }
  }

  /// Nothing but the lines that were typed.
  func typed(in sizes: ClosedRange<Double>) -> Fit? { fit(layout.breakMap.typed, in: sizes) }

  /// The largest size at which these lines fit.
  private func fit(_ breaks: BreakMap.Breaks, in sizes: ClosedRange<Double>) -> Fit? {
    layout.breakLines(at: breaks)
    let lines = layout.lines
    let across = width / max((lines.map(\.width).max() ?? 0) + pen, .leastNonzeroMagnitude)
    var (low, high) = (sizes.lowerBound, min(sizes.upperBound, across))
    guard low <= high, bottom(of: lines, at: low) <= height else { return nil }
    if bottom(of: lines, at: high) <= height { return at(high, lines, breaks) }
    while high - low > 0.01 {
      let middle = (low + high) / 2
      if bottom(of: lines, at: middle) <= height { low = middle } else { high = middle }
    }
    return at(low, lines, breaks)
  }

  private func at(_ size: Double, _ lines: [LineInk], _ breaks: BreakMap.Breaks) -> Fit {
    let inkWidth = ((lines.map(\.width).max() ?? 0) + pen) * size
    return Fit(
      size: size, lines: lines, baselines: baselines(of: lines, at: size),
      // Multiplied again, what fills the box is no wider than it.
      width: min(inkWidth, width), height: bottom(of: lines, at: size), breaks: breaks)
  }

  private func baselines(of lines: [LineInk], at size: Double) -> [Double] {
    var baselines: [Double] = []
    var previous: LineInk?
    for line in lines {
      let step = previous.map { distance(from: $0, to: line) } ?? (ascent(of: line) + pen / 2)
      // Whole pixels, so that the feet of the letters are sharp.
      baselines.append((baselines.last ?? 0) + (step * size).rounded(.up))
      previous = line
    }
    return baselines
  }

  private func bottom(of lines: [LineInk], at size: Double) -> Double {
    (baselines(of: lines, at: size).last ?? 0)
      + (max(0, lines.last?.descent ?? 0) + pen / 2) * size
  }

  private func ascent(of line: LineInk) -> Double {
    line.isBlank ? CaptionFace.capHeight : line.ascent
  }

  private func distance(from upper: LineInk, to lower: LineInk) -> Double {
    guard !upper.isBlank, !lower.isBlank else { return Self.leading }
    return max(Self.leading, upper.descent + lower.ascent + pen + Self.clearance)
  }
}
