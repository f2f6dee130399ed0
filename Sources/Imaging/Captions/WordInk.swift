/// The ink of the glyphs for one scalar, in em, relative to the start of the line's baseline.
struct GlyphInk {
  /// The position of the pen before the glyphs.
  var left: Double
  /// The distance by which the glyphs move the pen.
  var advance: Double
  var inkLeft: Double
  var inkRight: Double
  var ascent: Double
  var descent: Double

  /// Returns the ink in a run that begins at `start` and is drawn wider by `stretch`.
  func stretched(by stretch: Double, from start: Double) -> GlyphInk {
    GlyphInk(
      left: start + left * stretch, advance: advance * stretch,
      inkLeft: start + inkLeft * stretch, inkRight: start + inkRight * stretch, ascent: ascent,
      descent: descent)
  }

  /// Adds the ink of another glyph.
  mutating func join(_ other: GlyphInk) {
    left = min(left, other.left)
    advance += other.advance
    (inkLeft, inkRight) = (min(inkLeft, other.inkLeft), max(inkRight, other.inkRight))
    (ascent, descent) = (max(ascent, other.ascent), max(descent, other.descent))
  }
}

/// The ink of a word, in em.
struct WordInk {
  /// The distances from the beginning of the word to its ink, and from its ink to the end of the word, in reading
  /// order. They are negative if the ink extends beyond the word.
  let bearings: (begin: Double, end: Double)
  let ascent: Double
  let descent: Double
  let isBlank: Bool

  init(_ glyphs: some Sequence<GlyphInk?>, isRightToLeft: Bool) {
    var word: GlyphInk?
    for glyph in glyphs {
      guard let glyph else { continue }
      // The width extends from the leftmost to the rightmost glyph, whatever their order is.
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
