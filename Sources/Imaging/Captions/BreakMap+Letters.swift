/// Line breaking that may split words, for texts that would be too small to read with whole words.
extension BreakMap {
  /// The number of lines if every letter is on a line of its own.
  var mostLines: Int { max(typed.count + 1, letters.count) }

  /// Returns the narrowest way to break the text into at most `count` lines, or `nil` if the typed
  /// breaks alone make more.
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

  /// Fills each line up to a width of `limit`. Splits words that are wider.
  private func fill(to limit: Double) -> Breaks {
    var breaks: Breaks = []
    var (start, last, letter) = (0, 0, 0)
    for stop in words {
      while width(start..<stop) > limit {
        if last > start {
          start = last
        } else {
          while letters[letter] <= start { letter += 1 }
          // Put at least one letter on a line, however wide it is.
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
