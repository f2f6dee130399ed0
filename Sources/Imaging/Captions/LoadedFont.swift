import CPangoCairo

/// The font that Pango finds for a description, which may differ from the request. Finding it does not
/// open the font file.
struct LoadedFont {
  let family: String
  /// Family and style, such as `Comic Neue Bold`.
  let name: String
  private let weight: UInt32
  private let stretch: UInt32

  init?(_ description: CaptionFace.Description, in context: OpaquePointer) {
    guard let font = description.withPango(pixels: 1000, { pango_context_load_font(context, $0) })
    else { return nil }
    defer { g_object_unref(font) }
    let found = pango_font_describe(font)
    defer { pango_font_description_free(found) }
    family = pango_font_description_get_family(found).map { String(cString: $0) } ?? ""
    weight = pango_font_description_get_weight(found).rawValue
    pango_font_description_unset_fields(found, PANGO_FONT_MASK_SIZE)
    let text = pango_font_description_to_string(found)
    defer { g_free(text) }
    name = text.map { String(cString: $0) } ?? family
    stretch = pango_font_description_get_stretch(found).rawValue
  }

  /// Whether this is the wanted font. The same family is enough: Impact's own file declares itself condensed.
  func isExactly(_ wanted: CaptionFace.Description, leastWeight: UInt32) -> Bool {
    guard weight >= leastWeight else { return false }
    // "Noto Sans Display ExtraCondensed" is another name of the same family.
    return family == wanted.family || family.hasPrefix(wanted.family) && stretch == wanted.stretch
  }
}

extension CaptionFace.Description {
  /// Returns the height of a capital H in em, or `nil` if the font has none.
  func capRatio(in context: OpaquePointer) -> Double? {
    let pixels = 1000.0
    guard let font = withPango(pixels: pixels, { pango_context_load_font(context, $0) }) else {
      return nil
    }
    defer { g_object_unref(font) }
    var glyph = hb_codepoint_t()
    var ink = PangoRectangle()
    guard hb_font_get_nominal_glyph(pango_font_get_hb_font(font), 0x48, &glyph) != 0 else {
      return nil
    }
    pango_font_get_glyph_extents(font, glyph, &ink, nil)
    return ink.height > 0 ? Double(ink.height) / Double(PANGO_SCALE) / pixels : nil
  }
}
