import CPangoCairo

/// What a ``BreakMap`` is made of, read from the layout while the text is in it as typed.
extension TextLayout {
  /// How far each scalar moves the pen, in em.
  var advances: [Double] {
    // Pango counts UTF-8 bytes.
    var places: [Int: Int] = [:]
    var offset = 0
    for (place, scalar) in scalars.enumerated() {
      places[offset] = place
      offset += UTF8.width(scalar)
    }
    var advances = [Double](repeating: 0, count: scalars.count)
    forEachLine { line in
      GlyphRun.forEach(in: line) { run in
        run.forEachGlyph { byte, width in
          guard let place = places[byte] else { return }
          advances[place] += width / Self.pixelsPerEm * stretch
        }
      }
    }
    return advances
  }

  var mayBegin: [(word: Bool, letter: Bool)] {
    var count: Int32 = 0
    guard let attributes = pango_layout_get_log_attrs_readonly(pango, &count) else {
      return scalars.map { _ in (false, false) }
    }
    return scalars.indices.map { place in
      guard place < count else { return (false, false) }
      return (attributes[place].is_line_break != 0, attributes[place].is_cursor_position != 0)
    }
  }
}
