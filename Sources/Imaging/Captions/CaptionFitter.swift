/// Finds the largest size at which a text, with its outline, fits a box.
struct CaptionFitter {
  let layout: TextLayout
  /// The width of the pen around the letters, in em. Half of it is outside the letters.
  let pen: Double
  /// The size of the box in pixels.
  let width: Double
  let height: Double

  /// A text in lines that fit the box.
  struct Fit {
    /// Pixels per em.
    let size: Double
    let lines: [LineInk]
    /// The distance from the top of the ink, outline included, to each baseline, in pixels.
    let baselines: [Double]
    /// The size of the whole text in pixels, outline included.
    let width: Double
    let height: Double
    /// The breaks that produce these lines.
    let breaks: BreakMap.Breaks

    /// The sum of the squared line widths, in em: the smaller it is, the more even the lines are.
    var squares: Double { lines.reduce(0) { $0 + $1.width * $1.width } }
  }

  /// The distance between the baselines of plain capitals, in em: 1.41 times their height.
  private static let leading = 1.41 * CaptionFace.capHeight
  /// The gap between the outlines of two lines when accents or descenders push them apart, in em.
  private static let clearance = 0.02
  /// The smallest gain in size, in pixels, that justifies another line.
  private static let gain = 0.45
  /// For more even lines: the fraction of the size that must remain, and the factor by which they must reduce
  /// ``Fit/squares``. A single short word on a line of its own is worth a larger loss.
  private static let evenLines: [(share: Double, gain: Double)] = [(0.97, 1.1), (0.9, 1.2)]

  /// Finds the largest size in `sizes` at which the text fits without splitting a word.
  ///
  /// Uses as few lines as possible at that size, as even as possible.
  ///
  /// - Returns: `nil` if the text fits at none of the sizes.
  func largestOfWords(in sizes: ClosedRange<Double>) -> Fit? {
    let map = layout.breakMap
    guard let largest = largestSize(in: sizes, map) else { return nil }
    // Accept a size that is smaller by less than a pixel if it needs fewer lines.
    let size =
      largest < sizes.upperBound ? max(sizes.lowerBound, largest - Self.gain) : largest
    let search = LineSearch(fitter: self, map: map, size: size)
    var best: Fit?
    for aim in [LineSearch.Aim.even, .lowest] {
      guard let breaks = search.breaks(aim), let fit = fit(breaks, in: sizes) else { continue }
      if fit.size > (best?.size ?? 0) + Self.gain { best = fit }
      // The search measures words, the layout measures whole lines. The results differ slightly.
      if fit.size > size - Self.gain { break }
    }
    return best
  }

  /// Returns a fit with as many lines as `fit`, much more even and somewhat smaller, or `nil`.
  ///
  /// Small differences in the height of letters, and baselines on whole pixels, can rule out even lines at every size
  /// within a pixel of the largest. So this search accepts a larger loss of size.
  func moreEven(than fit: Fit, in sizes: ClosedRange<Double>) -> Fit? {
    guard fit.lines.count > 1 else { return nil }
    var best: Fit?
    for (share, gain) in Self.evenLines {
      let least = max(sizes.lowerBound, fit.size * share)
      let search = LineSearch(fitter: self, map: layout.breakMap, size: least)
      guard let breaks = search.breaks(.even, over: fit.lines.count),
        breaks != (best ?? fit).breaks,
        let even = self.fit(breaks, in: least...sizes.upperBound),
        even.squares * gain < (best ?? fit).squares
      else { continue }
      best = even
    }
    return best
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

  /// Like ``largestOfWords(in:)``, but may split words anywhere.
  func largestOfLetters(in sizes: ClosedRange<Double>) -> Fit? {
    let map = layout.breakMap
    var best: Fit?
    for count in map.typed.count + 1...map.mostLines {
      // More lines are narrower but taller. Stop when their height alone rules out a larger size.
      let tallest = height / max(Self.leading * Double(count - 1), .leastNonzeroMagnitude)
      guard tallest >= max(best?.size ?? 0, sizes.lowerBound) else { break }
      // If two words must move at the same time, one more line makes the text no narrower.
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

  /// Fits the typed lines without wrapping.
  func typed(in sizes: ClosedRange<Double>) -> Fit? { fit(layout.breakMap.typed, in: sizes) }

  /// Fits these lines at the largest possible size. Returns `nil` if they fit at none of the sizes.
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
      // Rounding could make a text that fills the box slightly wider than the box.
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

/// The vertical positions of lines, in pixels. Baselines are on whole pixels, so that the feet of letters are sharp.
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

  /// The bottom of the line's ink, outline included.
  func bottom(of line: LineInk, baseline: Double, at size: Double) -> Double {
    baseline + (max(0, line.descent) + pen / 2) * size
  }
}
