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

    /// The sum of the squares of the lines' widths, in em: the less, the more even they are.
    var squares: Double { lines.reduce(0) { $0 + $1.width * $1.width } }
  }

  /// The distance between the baselines of plain capitals, in em: 1.41 times their height.
  private static let leading = 1.41 * CaptionFace.capHeight
  /// What stays between the outlines of two lines when accents or descenders push them apart, in em.
  private static let clearance = 0.02
  /// Lines are not worth fewer pixels of size than this.
  private static let gain = 0.45
  /// The part of the size that is kept for lines that are much more even.
  private static let evenShare = 0.97
  /// How much less the squares of the widths of such lines are, together.
  private static let evenGain = 1.1

  /// The largest size in `sizes` at which the text fits without a broken word, over as few lines as that takes, which are as
  /// even as that allows, or a little smaller with lines that are much more even; `nil` if it fits at none.
  func largestOfWords(in sizes: ClosedRange<Double>) -> Fit? {
    let map = layout.breakMap
    guard let largest = largestSize(in: sizes, map) else { return nil }
    // More lines than needed are worth some pixels, but not less than one.
    let size =
      largest < sizes.upperBound ? max(sizes.lowerBound, largest - Self.gain) : largest
    let search = LineSearch(fitter: self, map: map, size: size)
    var best: Fit?
    for aim in [LineSearch.Aim.even, .lowest] {
      guard let breaks = search.breaks(aim), let fit = fit(breaks, in: sizes) else { continue }
      if fit.size > (best?.size ?? 0) + Self.gain { best = fit }
      // The search goes by what words need, the layout by the letters of the line: they differ by little.
      if fit.size > size - Self.gain { break }
    }
    return best.map { moreEven(than: $0, in: sizes, map) ?? $0 }
  }

  /// As many lines as `fit` has, much more even and hardly smaller.
  ///
  /// Letters that reach a hair further up or down than others, and baselines on whole pixels, may leave no size at which
  /// even lines fit that is within a pixel of the largest.
  private func moreEven(
    than fit: Fit, in sizes: ClosedRange<Double>, _ map: BreakMap
  ) -> Fit? {
    let least = max(sizes.lowerBound, fit.size * Self.evenShare)
    guard fit.lines.count > 1,
      let breaks = LineSearch(fitter: self, map: map, size: least)
        .breaks(.even, over: fit.lines.count),
      breaks != fit.breaks, let even = self.fit(breaks, in: least...sizes.upperBound),
      even.squares * Self.evenGain < fit.squares
    else { return nil }
    return even
  }

  private func largestSize(in sizes: ClosedRange<Double>, _ map: BreakMap) -> Double? {
    func fits(_ size: Double) -> Bool { LineSearch(fitter: self, map: map, size: size).fits() }
    if fits(sizes.upperBound) { return sizes.upperBound }
    var (low, high) = (sizes.lowerBound, sizes.upperBound)
    guard fits(low) else { return nil }
    while high - low > 0.05 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }

  /// The same where words may be broken anywhere.
  func largestOfLetters(in sizes: ClosedRange<Double>) -> Fit? {
    let map = layout.breakMap
    var best: Fit?
    for count in map.typed.count + 1...map.mostLines {
      // More lines are narrower, and higher: when their height alone leaves no room for better, nothing will.
      let tallest = height / max(Self.leading * Double(count - 1), .leastNonzeroMagnitude)
      guard tallest >= max(best?.size ?? 0, sizes.lowerBound) else { break }
      // Where two words would have to move at once, there is no narrower way with one line more.
      guard let breaks = map.narrowest(count), breaks.count + 1 == count else { continue }
      if let fit = fit(breaks, in: sizes),
        fit.size > (best?.size ?? 0) + Self.gain || best == nil || fit.size == sizes.upperBound
      {
        best = fit
      }
      if best?.size == sizes.upperBound { break }
    }
    return best
  }

  /// Nothing but the lines that were typed.
  func typed(in sizes: ClosedRange<Double>) -> Fit? { fit(layout.breakMap.typed, in: sizes) }

  /// The largest size at which these lines fit.
  func fit(_ breaks: BreakMap.Breaks, in sizes: ClosedRange<Double>) -> Fit? {
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
      let distance =
        previous.map { step(from: $0, to: line, at: size) } ?? firstBaseline(of: line, at: size)
      baselines.append((baselines.last ?? 0) + distance)
      previous = line
    }
    return baselines
  }

  private func bottom(of lines: [LineInk], at size: Double) -> Double {
    guard let last = lines.last, let baseline = baselines(of: lines, at: size).last else {
      return 0
    }
    return bottom(of: last, baseline: baseline, at: size)
  }
}

/// How lines lie below one another, in pixels. Baselines are on whole ones, so that the feet of the letters are sharp.
extension CaptionFitter {
  func firstBaseline(of line: LineInk, at size: Double) -> Double {
    (((line.isBlank ? CaptionFace.capHeight : line.ascent) + pen / 2) * size).rounded(.up)
  }

  func step(from upper: LineInk, to lower: LineInk, at size: Double) -> Double {
    var distance = Self.leading
    if !upper.isBlank, !lower.isBlank {
      distance = max(distance, upper.descent + lower.ascent + pen + Self.clearance)
    }
    return (distance * size).rounded(.up)
  }

  /// Where the ink of the last line ends, outline included.
  func bottom(of line: LineInk, baseline: Double, at size: Double) -> Double {
    baseline + (max(0, line.descent) + pen / 2) * size
  }
}
