import CPangoCairo

/// A Pango layout of one text at a fixed size, from which every size is computed.
///
/// Without hinting, letters at any size are the same shapes, so the text is measured once at this size and the
/// numbers are scaled. Lengths are in em of the caption's font size. One thread uses a layout.
final class TextLayout {
  /// The size at which the text is laid out, in pixels: large enough for Pango's units to be fine, small enough for
  /// the longest caption to stay within 32 bits of them.
  static let pixelsPerEm = 100.0

  /// Where lines may break, besides where the text says so.
  enum Wrap { case nowhere, words, wordsAndLetters }

  let pango: OpaquePointer
  let fitting: CaptionFace.Fitting
  /// How much wider than laid out the face's own letters are drawn.
  private(set) var stretch = 1.0
  /// The face's own font; what it lacks is drawn in others, which are neither fattened nor stretched.
  private let ownFont: UnsafeMutablePointer<PangoFont>?

  /// - Returns: `nil` where Pango cannot make a layout.
  init?(face: CaptionFace, context: OpaquePointer) {
    guard let pango = pango_layout_new(context) else { return nil }
    self.pango = pango
    fitting = face.fitting
    ownFont = face.description.withPango(pixels: Self.pixelsPerEm * face.scale) { description in
      pango_layout_set_font_description(pango, description)
      return pango_context_load_font(context, description)
    }
  }

  deinit {
    if let ownFont { g_object_unref(ownFont) }
    g_object_unref(UnsafeMutableRawPointer(pango))
  }

  private static let unitsPerEm = Double(PANGO_SCALE) * pixelsPerEm

  func isOwn(_ run: GlyphRun) -> Bool { run.font == ownFont }

  func setText(_ text: String) {
    var text = text
    // Other fonts keep their shapes, so a text without a letter of the face's own has nothing to stretch.
    stretch = text.unicodeScalars.contains(where: Spacing.isSeparate) ? fitting.stretch : 1
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        pango_layout_set_text(pango, $0.baseAddress, Int32($0.count))
      }
    }
    let attributes = pango_attr_list_new()
    pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
    for run in Spacing.runs(in: text, letters: fitting.spacing, words: fitting.wordSpacing) {
      let units = Int32(run.spacing * Self.unitsPerEm)
      guard let attribute = pango_attr_letter_spacing_new(units) else { continue }
      attribute.pointee.start_index = UInt32(run.range.lowerBound)
      attribute.pointee.end_index = UInt32(run.range.upperBound)
      pango_attr_list_insert(attributes, attribute)
    }
    pango_layout_set_attributes(pango, attributes)
    pango_attr_list_unref(attributes)
  }

  /// How the text is broken now.
  private(set) var breaking = Breaking(width: 0, wrap: .nowhere)

  struct Breaking {
    let width: Double
    let wrap: Wrap
  }

  func wrap(_ breaking: Breaking) { wrap(to: breaking.width, breaking.wrap) }

  /// Breaks the text into lines no wider than `width`.
  func wrap(to width: Double, _ wrap: Wrap) {
    breaking = Breaking(width: width, wrap: wrap)
    guard wrap != .nowhere else { return pango_layout_set_width(pango, -1) }
    pango_layout_set_wrap(pango, wrap == .words ? PANGO_WRAP_WORD : PANGO_WRAP_WORD_CHAR)
    let units = max(0, min(width / stretch * Self.unitsPerEm, Double(Int32.max / 2)))
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
          left: Double(ink.x) / Self.unitsPerEm * stretch,
          width: Double(ink.width) / Self.unitsPerEm * stretch,
          ascent: Double(-ink.y) / Self.unitsPerEm,
          descent: Double(ink.y + ink.height) / Self.unitsPerEm))
    }
    return inks
  }

  /// Calls `body` with each line, top first. The line is valid during the call.
  func forEachLine(_ body: (UnsafeMutablePointer<PangoLayoutLine>) -> Void) {
    var item = pango_layout_get_lines_readonly(pango)
    while let current = item {
      if let line = current.pointee.data {
        body(line.assumingMemoryBound(to: PangoLayoutLine.self))
      }
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
