/// The ink of the glyphs that stand for one scalar, in em: across from the beginning of their line, up and down from its
/// baseline.
struct GlyphInk {
  /// Where the pen is before them.
  var left: Double
  /// How far they move it.
  var advance: Double
  var inkLeft: Double
  var inkRight: Double
  var ascent: Double
  var descent: Double

  /// As wide as its run is drawn, which begins at `start`.
  func stretched(by stretch: Double, from start: Double) -> GlyphInk {
    GlyphInk(
      left: start + left * stretch, advance: advance * stretch,
      inkLeft: start + inkLeft * stretch, inkRight: start + inkRight * stretch, ascent: ascent,
      descent: descent)
  }

  /// Adds what is drawn with it.
  mutating func join(_ other: GlyphInk) {
    left = min(left, other.left)
    advance += other.advance
    (inkLeft, inkRight) = (min(inkLeft, other.inkLeft), max(inkRight, other.inkRight))
    (ascent, descent) = (max(ascent, other.ascent), max(descent, other.descent))
  }
}

/// The ink of a word, in em.
struct WordInk {
  /// How far the ink begins behind the place where the word begins, and ends before the place where it ends, in reading
  /// order. Ink that reaches out of its place makes them negative.
  let bearings: (begin: Double, end: Double)
  let ascent: Double
  let descent: Double
  let isBlank: Bool

  init(_ glyphs: some Sequence<GlyphInk?>, isRightToLeft: Bool) {
    var word: GlyphInk?
    for glyph in glyphs {
      guard let glyph else { continue }
      // Together they are as wide as from the first to the last, whichever comes first.
      guard var joined = word else {
        word = glyph
        continue
      }
      let right = max(joined.left + joined.advance, glyph.left + glyph.advance)
      joined.join(glyph)
      joined.advance = right - joined.left
      word = joined
    }
    guard let word, word.inkRight > word.inkLeft else {
      (bearings, ascent, descent, isBlank) = ((0, 0), 0, 0, true)
      return
    }
    let left = word.inkLeft - word.left
    let right = word.left + word.advance - word.inkRight
    bearings = isRightToLeft ? (right, left) : (left, right)
    (ascent, descent, isBlank) = (word.ascent, word.descent, false)
  }
}
