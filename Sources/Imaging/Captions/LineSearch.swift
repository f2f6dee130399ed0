/// Searches all ways to break a text between its words into lines that fit a box at one size.
///
/// A line is a range of word numbers. The position of a line depends only on the line before it. So of all ways to
/// reach a line the search keeps only the best (dynamic programming, as in the paragraph breaking of Knuth and Plass).
/// Of the lines that end at the same word, it keeps those that can be the best way to reach some next line. With
/// letters of one height, that is one: otherwise 280 emoji or Chinese characters, each a word, would take 0.1 s.
struct LineSearch {
  let fitter: CaptionFitter
  let map: BreakMap
  let size: Double

  /// The criterion by which one way to reach a line is better than another.
  enum Aim {
    /// Prefers the line that is nearer to the top; at the same position, the more even lines.
    case lowest
    /// Prefers the more even lines: a smaller sum of the squared widths.
    case even
  }

  private struct Line {
    let begin: Int
    let ink: LineInk
    /// The distance from the top of the ink, outline included, in pixels.
    let baseline: Double
    /// The sum of the squared widths up to this line.
    let squares: Double
    /// The index of the previous line among the lines that end before this one.
    let previous: Int

    /// How far the ink can push the next line down.
    var depth: Double { ink.isBlank ? -.infinity : ink.descent }
  }

  /// Whether the text fits in any number of lines.
  func fits() -> Bool {
    var endings = [[Line]](repeating: [], count: map.wordCount + 1)
    for begin in 0..<map.wordCount {
      extend(endings[begin], from: begin, .lowest) { end, line in
        add(line, to: &endings[end], .lowest)
      }
    }
    return endings[map.wordCount].contains(where: isAbove)
  }

  /// Returns the best breaks into as few lines as possible, or `nil` if no breaks fit.
  ///
  /// With ``Aim/even`` the search can miss breaks that fit.
  ///
  /// - Parameter lines: the exact number of lines, instead of as few as possible.
  func breaks(_ aim: Aim, over lines: Int? = nil) -> BreakMap.Breaks? {
    let count = map.wordCount
    var layers: [[[Line]]] = []
    while layers.count < min(count, lines ?? count) {
      var next = [[Line]](repeating: [], count: count + 1)
      for begin in 0..<count where layers.isEmpty == (begin == 0) {
        extend(layers.last?[begin] ?? [], from: begin, aim) { end, line in
          add(line, to: &next[end], aim)
        }
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

  /// Calls `add` with every line that begins with this word and fits, and with the number of the word after the line.
  ///
  /// - Parameter before: the lines that end before this word.
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
      // Ink that extends beyond its word can be inside the line again with the next word. It extends by at most 0.5 em.
      guard width <= limit + 0.5 else { return }
      if width <= limit {
        let ink = LineInk(left: 0, width: width, ascent: ascent, descent: descent)
        if let line = best(before, begin, ink, aim), isAbove(line) { add(end, line) }
      }
      if map.isTypedEnd(behindWord: end - 1) { return }
    }
  }

  /// Adds a line, unless another one makes it useless, and removes the lines that it makes useless.
  private func add(_ line: Line, to lines: inout [Line], _ aim: Aim) {
    if lines.contains(where: { isAsGood($0, line, aim) }) { return }
    lines.removeAll { isAsGood(line, $0, aim) }
    lines.append(line)
  }

  /// Whether every next line is at least as good after `line` as after `other`, which ends at the same word.
  private func isAsGood(_ line: Line, _ other: Line, _ aim: Aim) -> Bool {
    let isNoLower = line.baseline <= other.baseline && line.depth <= other.depth
    return switch aim {
    case .lowest:
      isNoLower && (line.baseline < other.baseline || line.squares <= other.squares)
    case .even: line.squares < other.squares || line.squares == other.squares && isNoLower
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

  /// Whether the line's ink ends inside the box.
  private func isAbove(_ line: Line) -> Bool {
    fitter.bottom(of: line.ink, baseline: line.baseline, at: size) <= fitter.height
  }

  /// Returns the first word of each line, traced back from a line of the last layer that ends the text.
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
