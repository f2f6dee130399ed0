/// Lines of words that may be broken, where whole ones could not be read.
extension BreakMap {
  /// How many lines there are where every letter has its own.
  var mostLines: Int { max(typed.count + 1, letters.count) }

  /// The narrowest way to break into `count` lines or fewer; `nil` where there are more however wide they are.
  func narrowest(_ count: Int) -> Breaks? {
    guard typed.count < count else { return nil }
    var low = zip([0] + letters, letters).map { width($0..<$1) }.max() ?? 0
    var best = fill(to: low)
    guard best.count >= count else { return best }
    best = typed
    var high = width(typed)
    while high - low > 0.005 {
      let middle = (low + high) / 2
      let breaks = fill(to: middle)
      if breaks.count < count {
        (best, high) = (breaks, min(middle, width(breaks)))
      } else {
        low = middle
      }
    }
    return best
  }

  /// Lines as full as `limit` allows. A word that is wider has several.
  private func fill(to limit: Double) -> Breaks {
    var breaks: Breaks = []
    var (start, last, letter) = (0, 0, 0)
    for stop in words {
      while width(start..<stop) > limit {
        if last > start {
          start = last
        } else {
          while letters[letter] <= start { letter += 1 }
          // One letter at least, however wide.
          while letters[letter + 1 < letters.count ? letter + 1 : letter] < stop,
            width(start..<letters[letter + 1]) <= limit
          { letter += 1 }
          guard letters[letter] < stop else { break }
          start = letters[letter]
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
}
