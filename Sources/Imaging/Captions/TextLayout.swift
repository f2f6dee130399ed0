import CPangoCairo

/// A Pango layout of one text at a fixed size, from which every size is computed.
///
/// Without hinting, letters at any size are the same shapes, so the text is measured once at this size and the
/// numbers are scaled. Lengths are in em of the caption's font size. One thread uses a layout.
final class TextLayout {
  /// The size at which the text is laid out, in pixels: large enough for Pango's units to be fine, small enough for
  /// the longest caption to stay within 32 bits of them.
  static let pixelsPerEm = 100.0

  /// Where a word that is longer than the line ends up.
  enum Wrap { case words, wordsAndLetters }

  let pango: OpaquePointer

  /// Takes over the reference.
  init(owning pango: OpaquePointer) { self.pango = pango }

  deinit { g_object_unref(UnsafeMutableRawPointer(pango)) }

  private static let unitsPerEm = Double(PANGO_SCALE) * pixelsPerEm

  func setText(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        pango_layout_set_text(pango, $0.baseAddress, Int32($0.count))
      }
    }
  }

  /// Breaks the text into lines no wider than `width`.
  func wrap(to width: Double, _ wrap: Wrap) {
    pango_layout_set_wrap(pango, wrap == .words ? PANGO_WRAP_WORD : PANGO_WRAP_WORD_CHAR)
    let units = max(0, min(width * Self.unitsPerEm, Double(Int32.max / 2)))
    pango_layout_set_width(pango, Int32(units))
  }

  var lineCount: Int { Int(pango_layout_get_line_count(pango)) }

  /// The ink of each line, relative to where the line's baseline begins.
  var lines: [LineInk] {
    var inks: [LineInk] = []
    forEachLine { line in
      var ink = PangoRectangle()
      pango_layout_line_get_extents(line, &ink, nil)
      inks.append(
        LineInk(
          left: Double(ink.x) / Self.unitsPerEm, width: Double(ink.width) / Self.unitsPerEm,
          ascent: Double(-ink.y) / Self.unitsPerEm,
          descent: Double(ink.y + ink.height) / Self.unitsPerEm))
    }
    return inks
  }

  /// Calls `body` with each line, top first. The line is valid during the call.
  func forEachLine(_ body: (UnsafeMutablePointer<PangoLayoutLine>) -> Void) {
    var item = pango_layout_get_lines_readonly(pango)
    while let current = item {
      if let line = current.pointee.data { body(line.assumingMemoryBound(to: PangoLayoutLine.self)) }
      item = current.pointee.next
    }
  }

  /// The characters that no font has, each once, in their order.
  var missingCharacters: [String] {
    guard pango_layout_get_unknown_glyphs_count(pango) > 0 else { return [] }
    var missing: [String] = []
    forEachLine { line in
      GlyphRun.forEach(in: line) { run in
        for code in run.unknownCharacters {
          guard let scalar = Unicode.Scalar(code) else { continue }
          let text = String(Character(scalar))
          if !missing.contains(text) { missing.append(text) }
        }
      }
    }
    return missing
  }
}

/// The ink of one line in em: from the baseline's start to the left, its width, and how far it rises and falls.
struct LineInk: Equatable {
  let left: Double
  let width: Double
  let ascent: Double
  let descent: Double

  var isBlank: Bool { width <= 0 }
}
