import CPangoCairo

/// A Pango layout of one text at a fixed size, from which every other size is computed.
///
/// Without hinting, letters have the same shapes at any size. So the layout measures the text once at this size, and
/// callers scale the results. Lengths are in em of the caption's font size. Use a layout on one thread only.
final class TextLayout {
  /// The font size of the layout, in pixels. It is large enough for precise Pango units, and small enough for the
  /// longest caption to stay within 32 bits of them.
  static let pixelsPerEm = 100.0

  let pango: OpaquePointer
  let fitting: CaptionFace.Fitting
  /// The positions at which the text may break.
  private(set) var breakMap = BreakMap([], glyphs: [], mayBegin: [], isRightToLeft: false)
  private(set) var scalars: [Unicode.Scalar] = []
  /// The current breaks that the typed text does not contain.
  private var added: BreakMap.Breaks = []
  /// The face's own font. Fallback fonts draw the characters it lacks; their glyphs are neither fattened nor stretched.
  private let ownFont: UnsafeMutablePointer<PangoFont>?
  /// The glyph of the euro sign in `ownFont`.
  private let euro: hb_codepoint_t?

  /// - Returns: `nil` if Pango cannot create a layout.
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

  /// Returns the width of the fattening pen for a glyph, in em; 0 if the glyph is not fattened.
  func fatten(_ glyph: UInt32, of run: GlyphRun) -> Double {
    isOwn(run) && (glyph != euro || fitting.fattensEuro) ? fitting.fatten : 0
  }

  /// The mark for omitted text. If the font is fattened, the dots of a single ellipsis glyph would merge.
  var ellipsis: String { fitting.fatten > 0 ? "..." : "…" }

  /// Counts the letters of `text` that the face's own font lacks, in scripts with separate letters. If the font has
  /// capitals in place of lowercase letters, it lacks the lowercase letters.
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

  /// Whether a lowercase x is smaller than a capital X: some fonts have capitals in place of lowercase letters.
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

  /// Lays `text` out in its typed lines.
  func setText(_ text: String) {
    let hyphen = text.unicodeScalars.contains(Self.softHyphen) ? width(of: Self.hyphen) : 0
    scalars = Array(text.unicodeScalars)
    layOut(text)
    breakMap = BreakMap(
      scalars, glyphs: glyphInks, mayBegin: mayBegin, isRightToLeft: isRightToLeft, hyphen: hyphen)
    added = []
  }

  private static let softHyphen: Unicode.Scalar = "\u{AD}"
  private static let hyphen: Unicode.Scalar = "-"

  /// The distance from a letter to the next. Changes the laid-out text.
  private func width(of scalar: Unicode.Scalar) -> Double {
    scalars = [scalar]
    layOut(String(Character(scalar)))
    return glyphInks.reduce(0) { $0 + ($1?.advance ?? 0) }
  }

  func breakLines(at breaks: BreakMap.Breaks) {
    let wanted = breakMap.added(breaks)
    guard wanted != added else { return }
    added = wanted
    var (text, start) = (String.UnicodeScalarView(), 0)
    for place in wanted + [scalars.count] {
      var line = scalars[start..<place]
      // Between letters of the opposite direction, Pango would draw the whitespace at a line's end inside the line.
      if place < scalars.count {
        while line.last?.properties.isWhitespace == true { line.removeLast() }
      }
      text.append(contentsOf: line)
      // Pango would show the hyphen only in lines that it breaks itself.
      if place < scalars.count, scalars[place - 1] == Self.softHyphen { text.append(Self.hyphen) }
      // A line separator ends the line but not the paragraph, so the text keeps its base direction.
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

  /// The ink of each line, relative to the start of its baseline.
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

  /// Calls `body` with each run of a line, its distance from the line's beginning in em, and its stretch. The stretch
  /// is the factor by which the run is drawn wider than laid out. It is 1 for fallback fonts, which keep their shapes.
  /// The run is valid only during the call.
  func forEachRun<Failure>(
    in line: UnsafeMutablePointer<PangoLayoutLine>,
    _ body: (GlyphRun, _ left: Double, _ stretch: Double) throws(Failure) -> Void
  ) throws(Failure) {
    var left = 0.0
    try GlyphRun.forEach(in: line) { run throws(Failure) in
      let stretch = isOwn(run) ? fitting.stretch : 1
      try body(run, left, stretch)
      left += run.width / Self.pixelsPerEm * stretch
    }
  }

  /// Calls `body` with each line, top first. The line is valid only during the call.
  func forEachLine<Failure>(
    _ body: (UnsafeMutablePointer<PangoLayoutLine>) throws(Failure) -> Void
  ) throws(Failure) {
    var item = pango_layout_get_lines_readonly(pango)
    while let current = item {
      if let line = current.pointee.data {
        try body(line.assumingMemoryBound(to: PangoLayoutLine.self))
      }
      item = current.pointee.next
    }
  }

  /// The characters that no font has, each once, in order.
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

/// The ink of one line in em, relative to the start of its baseline.
struct LineInk: Equatable {
  let left: Double
  let width: Double
  let ascent: Double
  let descent: Double

  var isBlank: Bool { width <= 0 }
}
