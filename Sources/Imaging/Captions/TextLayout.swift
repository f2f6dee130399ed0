import CPangoCairo

/// A Pango layout of one text at a fixed size, from which every size is computed.
///
/// Without hinting, letters at any size are the same shapes, so the text is measured once at this size and the
/// numbers are scaled. Lengths are in em of the caption's font size. One thread uses a layout.
final class TextLayout {
  /// The size at which the text is laid out, in pixels: large enough for Pango's units to be fine, small enough for
  /// the longest caption to stay within 32 bits of them.
  static let pixelsPerEm = 100.0

  let pango: OpaquePointer
  let fitting: CaptionFace.Fitting
  /// Where the text may break.
  private(set) var breakMap = BreakMap([], glyphs: [], mayBegin: [], isRightToLeft: false)
  private(set) var scalars: [Unicode.Scalar] = []
  /// Where it is broken, besides where it was typed so.
  private var added: BreakMap.Breaks = []
  /// The face's own font; what it lacks is drawn in others, which are neither fattened nor stretched.
  private let ownFont: UnsafeMutablePointer<PangoFont>?
  /// The glyph of the euro sign in it.
  private let euro: hb_codepoint_t?

  /// - Returns: `nil` where Pango cannot make a layout.
  init?(face: CaptionFace, context: OpaquePointer) {
    guard let pango = pango_layout_new(context) else { return nil }
    self.pango = pango
    fitting = face.fitting
    ownFont = face.description.withPango(pixels: Self.pixelsPerEm * face.scale) { description in
      pango_layout_set_font_description(pango, description)
      return pango_context_load_font(context, description)
    }
    var euro = hb_codepoint_t()
    let font = ownFont.flatMap { pango_font_get_hb_font($0) }
    self.euro = font.flatMap {
      hb_font_get_nominal_glyph($0, 0x20AC, &euro) != 0 ? euro : nil
    }
  }

  deinit {
    if let ownFont { g_object_unref(ownFont) }
    g_object_unref(UnsafeMutableRawPointer(pango))
  }

  private static let unitsPerEm = Double(PANGO_SCALE) * pixelsPerEm

  func isOwn(_ run: GlyphRun) -> Bool { run.font == ownFont }

  /// How much wider than its shape a glyph is drawn, in em.
  func fatten(_ glyph: UInt32, of run: GlyphRun) -> Double {
    isOwn(run) && (glyph != euro || fitting.fattensEuro) ? fitting.fatten : 0
  }

  /// What stands for words that are left out. The dots of one glyph would grow together.
  var ellipsis: String { fitting.fatten > 0 ? "..." : "…" }

  /// How many letters of a text the face's own font lacks, of the scripts whose letters are separate; small ones too, if it has
  /// capitals in their place.
  func lackedLetters(of text: String) -> Int {
    guard let font = ownFont.flatMap({ pango_font_get_hb_font($0) }) else { return text.count }
    let hasSmall = hasSmallLetters
    return text.unicodeScalars.count { scalar in
      guard scalar.properties.isAlphabetic, Spacing.isSeparate(scalar) else { return false }
      var glyph = hb_codepoint_t()
      return hb_font_get_nominal_glyph(font, scalar.value, &glyph) == 0
        || !hasSmall && scalar.properties.isLowercase
    }
  }

  /// Whether a small x is smaller than a capital one: some faces have capitals in its place.
  private var hasSmallLetters: Bool {
    guard let ownFont, let font = pango_font_get_hb_font(ownFont) else { return false }
    let heights = ["x", "X"].map { (letter: Unicode.Scalar) -> Int32 in
      var (glyph, ink) = (hb_codepoint_t(), PangoRectangle())
      guard hb_font_get_nominal_glyph(font, letter.value, &glyph) != 0 else { return 0 }
      pango_font_get_glyph_extents(ownFont, glyph, &ink, nil)
      return ink.height
    }
    return Double(heights[0]) < 0.95 * Double(heights[1])
  }

  /// Lays `text` out in the lines that were typed.
  func setText(_ text: String) {
    scalars = Array(text.unicodeScalars)
    layOut(text)
    breakMap = BreakMap(
      scalars, glyphs: glyphInks, mayBegin: mayBegin, isRightToLeft: isRightToLeft)
    added = []
  }

  /// Breaks the text into lines.
  func breakLines(at breaks: BreakMap.Breaks) {
    let wanted = breakMap.added(breaks)
    guard wanted != added else { return }
    added = wanted
    var (text, start) = (String.UnicodeScalarView(), 0)
    for place in wanted + [scalars.count] {
      var line = scalars[start..<place]
      // Between letters of another direction Pango would draw the blanks at a line's end inside the line.
      if place < scalars.count {
        while line.last?.properties.isWhitespace == true { line.removeLast() }
      }
      text.append(contentsOf: line)
      // Ends a line, but not a paragraph: which way a script is written stays what it was.
      if place < scalars.count { text.append("\u{2028}") }
      start = place
    }
    layOut(String(text))
  }

  private func layOut(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        pango_layout_set_text(pango, $0.baseAddress, Int32($0.count))
      }
    }
    let attributes = pango_attr_list_new()
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

  /// The ink of each line, relative to where the line's baseline begins.
  var lines: [LineInk] {
    var inks: [LineInk] = []
    forEachLine { line in
      var whole: (left: Double, right: Double, ascent: Double, descent: Double)?
      forEachRun(in: line) { run, left, stretch in
        let ink = run.ink
        guard ink.width > 0 else { return }
        let start = left + ink.left / Self.pixelsPerEm * stretch
        let end = start + ink.width / Self.pixelsPerEm * stretch
        let ascent = -ink.top / Self.pixelsPerEm
        let descent = (ink.top + ink.height) / Self.pixelsPerEm
        let before = whole ?? (start, end, ascent, descent)
        whole = (
          min(before.left, start), max(before.right, end), max(before.ascent, ascent),
          max(before.descent, descent)
        )
      }
      inks.append(
        whole.map {
          LineInk(
            left: $0.left, width: $0.right - $0.left, ascent: $0.ascent, descent: $0.descent)
        } ?? LineInk(left: 0, width: 0, ascent: 0, descent: 0))
    }
    return inks
  }

  /// Calls `body` with each run of a line, where it begins from the line's beginning, in em, and how much wider it is drawn than
  /// laid out: letters of other fonts keep their shapes. The run is valid during the call.
  func forEachRun(
    in line: UnsafeMutablePointer<PangoLayoutLine>,
    _ body: (GlyphRun, _ left: Double, _ stretch: Double) -> Void
  ) {
    var left = 0.0
    GlyphRun.forEach(in: line) { run in
      let stretch = isOwn(run) ? fitting.stretch : 1
      body(run, left, stretch)
      left += run.width / Self.pixelsPerEm * stretch
    }
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
