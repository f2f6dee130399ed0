import CPangoCairo

/// The inputs of a ``BreakMap``. They are valid only while the layout holds the text as typed.
extension TextLayout {
  /// The ink of each scalar, or `nil` if the scalar is drawn with the one before it.
  var glyphInks: [GlyphInk?] {
    // Pango counts UTF-8 bytes.
    var places: [Int: Int] = [:]
    var offset = 0
    for (place, scalar) in scalars.enumerated() {
      places[offset] = place
      offset += UTF8.width(scalar)
    }
    var inks = [GlyphInk?](repeating: nil, count: scalars.count)
    forEachLine { line in
      forEachRun(in: line) { run, left, stretch in
        run.forEachGlyph(pixelsPerEm: Self.pixelsPerEm) { byte, glyph in
          guard let place = places[byte] else { return }
          let glyph = glyph.stretched(by: stretch, from: left)
          if inks[place]?.join(glyph) == nil { inks[place] = glyph }
        }
      }
    }
    return inks
  }

  /// Whether the text begins at the right.
  var isRightToLeft: Bool {
    var isRightToLeft: Bool?
    forEachLine { line in
      isRightToLeft = isRightToLeft ?? (line.pointee.resolved_dir == PANGO_DIRECTION_RTL.rawValue)
    }
    return isRightToLeft ?? false
  }

  var mayBegin: [(word: Bool, letter: Bool)] {
    var count: Int32 = 0
    guard let attributes = pango_layout_get_log_attrs_readonly(pango, &count) else {
      return scalars.map { _ in (false, false) }
    }
    return scalars.indices.map { place in
      guard place < count else { return (false, false) }
      return (
        attributes[place].is_line_break != 0 && !isInKoreanWord(place),
        attributes[place].is_cursor_position != 0
      )
    }
  }

  /// Whether the scalar continues a Korean word. Pango breaks lines between any two syllables, but Korean has spaces
  /// between its words, and readers expect breaks there (UAX #14, §5.6).
  private func isInKoreanWord(_ place: Int) -> Bool {
    guard place > 0 else { return false }
    let sides = [scalars[place - 1], scalars[place]]
    return sides.contains(where: Self.isHangul)
      && sides.allSatisfy { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true
    default: false
    }
  }
}
