/// Where a text may break into lines, and how wide what is between is.
///
/// Places are counted in Unicode scalars, widths are in em and without the blanks at a line's end.
struct BreakMap {
  /// Whether a word that is too wide is broken.
  enum Wrap { case words, wordsAndLetters }

  /// Where the lines begin, but for the first; ascending.
  typealias Breaks = [Int]

  /// Where lines begin that were typed.
  let typed: Breaks
  private let forced: Set<Int>
  /// From the text's beginning to each place.
  private let offsets: [Double]
  /// For each place, where the text before it ends without the blanks at its end.
  private let inkEnds: [Int]
  /// Where a line may begin, ``typed`` among them, and the text's end.
  private let words: [Int]
  /// The same, where words may be broken too.
  private let letters: [Int]

  /// - Parameters:
  ///   - advances: of each scalar; those that are drawn with the one before have none.
  ///   - mayBegin: for each scalar, whether a line may begin with it, and whether a line that breaks a word may.
  init(
    _ scalars: [Unicode.Scalar], advances: [Double], mayBegin: [(word: Bool, letter: Bool)]
  ) {
    offsets = advances.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
    var (ends, end): ([Int], Int) = ([0], 0)
    for (place, scalar) in scalars.enumerated() {
      if !scalar.properties.isWhitespace { end = place + 1 }
      ends.append(end)
    }
    inkEnds = ends
    typed = scalars.indices.filter { Self.endsLine(scalars[$0]) }.map { $0 + 1 }
    let forced = Set(typed)
    self.forced = forced
    let inside = 1..<max(scalars.count, 1)
    words = inside.filter { forced.contains($0) || mayBegin[$0].word } + [scalars.count]
    letters =
      inside.filter { forced.contains($0) || mayBegin[$0].word || mayBegin[$0].letter }
      + [scalars.count]
  }

  /// Newline, line separator, paragraph separator. What else ends a line is not in a caption's text.
  private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Of `breaks`, those that are not in the text.
  func added(_ breaks: Breaks) -> Breaks { breaks.filter { !forced.contains($0) } }

  /// Width of the widest line.
  func width(_ breaks: Breaks) -> Double {
    zip([0] + breaks, breaks + [offsets.count - 1]).map { width($0..<$1) }.max() ?? 0
  }

  private func width(_ line: Range<Int>) -> Double {
    max(0, offsets[max(line.lowerBound, inkEnds[line.upperBound])] - offsets[line.lowerBound])
  }

  /// How many lines there are where every word, or letter, has its own.
  func mostLines(_ wrap: Wrap) -> Int {
    max(typed.count + 1, (wrap == .words ? words : letters).count)
  }

  /// The narrowest way to break into `count` lines or fewer; `nil` where there are more however wide they are.
  func narrowest(_ count: Int, _ wrap: Wrap) -> Breaks? {
    guard typed.count < count else { return nil }
    let stops = wrap == .words ? words : letters
    var low = zip([0] + stops, stops).map { width($0..<$1) }.max() ?? 0
    var best = fill(to: low, wrap)
    guard best.count >= count else { return best }
    best = typed
    var high = width(typed)
    while high - low > 0.005 {
      let middle = (low + high) / 2
      let breaks = fill(to: middle, wrap)
      if breaks.count < count {
        (best, high) = (breaks, min(middle, width(breaks)))
      } else {
        low = middle
      }
    }
    return best
  }

  /// Lines as full as `limit` allows. A word that is wider has a line of its own, or several where it may be broken.
  private func fill(to limit: Double, _ wrap: Wrap) -> Breaks {
    var breaks: Breaks = []
    var (start, last, letter) = (0, 0, 0)
    for stop in words {
      while width(start..<stop) > limit {
        if last > start {
          start = last
        } else if wrap == .wordsAndLetters {
          while letters[letter] <= start { letter += 1 }
          // One letter at least, however wide.
          while letters[letter + 1 < letters.count ? letter + 1 : letter] < stop,
            width(start..<letters[letter + 1]) <= limit
          { letter += 1 }
          guard letters[letter] < stop else { break }
          start = letters[letter]
        } else {
          break
        }
        breaks.append(start)
      }
      last = stop
      if forced.contains(stop) {
        breaks.append(stop)
        start = stop
      }
    }
    return breaks
  }

  /// The same number of lines, one of which ends elsewhere.
  func neighbours(of breaks: Breaks) -> [Breaks] {
    var neighbours: [Breaks] = []
    for (index, place) in breaks.enumerated() where !forced.contains(place) {
      let before = index > 0 ? breaks[index - 1] : 0
      let after = index + 1 < breaks.count ? breaks[index + 1] : offsets.count - 1
      for other in words where before < other && other < after && other != place {
        var moved = breaks
        moved[index] = other
        neighbours.append(moved)
      }
    }
    return neighbours
  }

  /// The most even of all ways to break into as many lines as `breaks` has, none wider than `limit` and no word broken.
  func balanced(like breaks: Breaks, within limit: Double) -> Breaks? {
    // Even is where the squares of the widths have the smallest sum; with it goes the place where the last line began.
    var rows: [[(sum: Double, begin: Int)]] = []
    let places = [0] + words
    let nothing = (sum: Double.infinity, begin: 0)
    var row = [(sum: 0, begin: 0)] + Array(repeating: nothing, count: words.count)
    for _ in 0...breaks.count {
      var next = Array(repeating: nothing, count: places.count)
      for begin in places.indices.dropLast() where row[begin].sum.isFinite {
        for end in begin + 1..<places.count {
          let width = width(places[begin]..<places[end])
          guard width <= limit else { break }
          let sum = row[begin].sum + width * width
          if sum < next[end].sum { next[end] = (sum, begin) }
          if forced.contains(places[end]) { break }
        }
      }
      rows.append(next)
      row = next
    }
    guard row.last?.sum.isFinite == true else { return nil }
    var (even, end): (Breaks, Int) = ([], places.count - 1)
    for row in rows.reversed() {
      end = row[end].begin
      if end > 0 { even.append(places[end]) }
    }
    return even.reversed()
  }
}
