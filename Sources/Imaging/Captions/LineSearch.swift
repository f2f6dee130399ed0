/// Looks through all ways to break a text between its words into lines that fit a box at one size.
///
/// Words are counted here: a line is a range of them. How far down a line comes depends on the one before it only, so that of
/// all ways to come to a line one is enough: the best (dynamic programming, as Knuth and Plass break paragraphs).
struct LineSearch {
  let fitter: CaptionFitter
  let map: BreakMap
  let size: Double

  /// What makes one way to a line better than another.
  enum Aim {
    /// That it comes less far down; among those that come as far, that its lines are more alike.
    case lowest
    /// That its lines are more alike: the squares of their widths have a smaller sum.
    case even
  }

  private struct Line {
    let begin: Int
    let ink: LineInk
    /// Pixels from the top of the ink, outline included.
    let baseline: Double
    /// The sum of the squares of the widths so far.
    let squares: Double
    /// Its place among the lines that end where this one begins.
    let previous: Int
  }

  /// Whether the text fits over any number of lines.
  func fits() -> Bool {
    var endings = [[Line]](repeating: [], count: map.wordCount + 1)
    for begin in 0..<map.wordCount {
      extend(endings[begin], from: begin, .lowest) { end, line in endings[end].append(line) }
    }
    return endings[map.wordCount].contains(where: isAbove)
  }

  /// The best way to break the text into as few lines as fit; `nil` where it fits over no number of them.
  ///
  /// With ``Aim/even`` one that fits may be missed.
  ///
  /// - Parameter lines: so many lines, and not as few as fit.
  func breaks(_ aim: Aim, over lines: Int? = nil) -> BreakMap.Breaks? {
    let count = map.wordCount
    var layers: [[[Line]]] = []
    while layers.count < min(count, lines ?? count) {
      var next = [[Line]](repeating: [], count: count + 1)
      for begin in 0..<count where layers.isEmpty == (begin == 0) {
        extend(layers.last?[begin] ?? [], from: begin, aim) { end, line in next[end].append(line) }
      }
      guard next.contains(where: { !$0.isEmpty }) else { return nil }
      layers.append(next)
      if let lines, layers.count < lines { continue }
      let last = next[count].indices.filter { isAbove(next[count][$0]) }.min {
        isBetter(next[count][$0], next[count][$1], aim)
      }
      if let last { return map.breaks(before: begins(of: last, in: layers)) }
    }
    return nil
  }

  /// Calls `add` with every line that begins with this word and fits, and the word that it ends before.
  ///
  /// - Parameter before: the lines that end where this one begins.
  private func extend(
    _ before: [Line], from begin: Int, _ aim: Aim, _ add: (_ end: Int, Line) -> Void
  ) {
    guard begin == 0 || !before.isEmpty else { return }
    let limit = fitter.width / size - fitter.pen
    var (ascent, descent) = (-Double.infinity, -Double.infinity)
    for end in begin + 1...map.wordCount {
      (ascent, descent) = (
        max(ascent, map.ink(ofWord: end - 1).ascent), max(descent, map.ink(ofWord: end - 1).descent)
      )
      let width = map.width(ofWords: begin..<end)
      // Ink that reaches out of its word can be back inside the line with the next word, but not by more than this.
      guard width <= limit + 0.5 else { return }
      if width <= limit {
        let ink = LineInk(left: 0, width: width, ascent: ascent, descent: descent)
        if let line = best(before, begin, ink, aim), isAbove(line) { add(end, line) }
      }
      if map.isTypedEnd(behindWord: end - 1) { return }
    }
  }

  private func best(_ before: [Line], _ begin: Int, _ ink: LineInk, _ aim: Aim) -> Line? {
    let square = ink.width * ink.width
    guard begin > 0 else {
      return Line(
        begin: begin, ink: ink, baseline: fitter.firstBaseline(of: ink, at: size), squares: square,
        previous: 0)
    }
    var best: Line?
    for (index, upper) in before.enumerated() {
      let line = Line(
        begin: begin, ink: ink,
        baseline: upper.baseline + fitter.step(from: upper.ink, to: ink, at: size),
        squares: upper.squares + square, previous: index)
      if best.map({ isBetter(line, $0, aim) }) ?? true { best = line }
    }
    return best
  }

  private func isBetter(_ line: Line, _ other: Line, _ aim: Aim) -> Bool {
    switch aim {
    case .lowest: (line.baseline, line.squares) < (other.baseline, other.squares)
    case .even: (line.squares, line.baseline) < (other.squares, other.baseline)
    }
  }

  /// Whether the line's ink ends within the box.
  private func isAbove(_ line: Line) -> Bool {
    fitter.bottom(of: line.ink, baseline: line.baseline, at: size) <= fitter.height
  }

  /// The words that lines begin with, back from a line of the last layer that ends the text.
  private func begins(of last: Int, in layers: [[[Line]]]) -> [Int] {
    var (begins, end, index): ([Int], Int, Int) = ([], map.wordCount, last)
    for layer in layers.reversed() {
      let line = layer[end][index]
      begins.append(line.begin)
      (end, index) = (line.begin, line.previous)
    }
    return begins.reversed()
  }
}
