import CPangoCairo

/// The typeface that captions are drawn in: Impact, or what stands in for it on this machine.
package struct CaptionFace: Sendable, Equatable {
  /// The name under which clients ask for it.
  package let id: String
  /// The family that was wished for.
  package let family: String
  /// The family, and style where it matters, that is installed and drawn.
  package let installed: String

  /// The stand-in's font size as a multiple of Impact's, so that capitals are as tall as Impact's.
  let scale: Double
  let fitting: Fitting
  let description: Description

  /// The height of Impact's capitals, in em.
  static let capHeight = 0.7905

  /// What brings a stand-in nearer to Impact's weight and width. Lengths are in em.
  struct Fitting: Sendable, Equatable {
    /// The width of a pen in the fill's colour around letters that are too thin.
    var fatten = 0.0
    /// What is added between letters.
    var spacing = 0.0
    /// What is added to the space between words.
    var wordSpacing = 0.0
    /// How much wider letters are drawn.
    var stretch = 1.0

    /// What the outline's pen and this one's need outside the letters, both sides together.
    func pen(outline: Double) -> Double { max(outline + fatten, fatten * Self.miterLimit) }

    /// How far corners of the fattened letters may reach, in half pens: right angles stay sharp.
    static let miterLimit = 1.5
  }

  /// What Pango is asked for.
  struct Description: Sendable, Equatable {
    let family: String
    var stretch: UInt32 = PANGO_STRETCH_NORMAL.rawValue
    /// The heaviest: of the family itself, and of the families that draw what it lacks.
    var weight: UInt32 = PANGO_WEIGHT_HEAVY.rawValue
  }
}

extension CaptionFace {
  private struct Candidate {
    let description: Description
    var installed: String
    /// What is too light for a caption is not the face that is wanted.
    var leastWeight: UInt32 = PANGO_WEIGHT_NORMAL.rawValue
    var fitting = Fitting()
  }

  /// Nearest first. The fittings were found by laying each beside Impact, at the same height of capitals.
  private static let candidates = [
    Candidate(description: Description(family: "Impact"), installed: "Impact"),
    Candidate(description: Description(family: "Anton"), installed: "Anton"),
    Candidate(
      description: Description(family: "Bebas Neue"), installed: "Bebas Neue Bold",
      leastWeight: PANGO_WEIGHT_BOLD.rawValue,
      fitting: Fitting(fatten: 0.055, spacing: 0.03, wordSpacing: -0.015, stretch: 1.18)),
    Candidate(
      description: Description(
        family: "Noto Sans Display", stretch: PANGO_STRETCH_EXTRA_CONDENSED.rawValue),
      installed: "Noto Sans Display ExtraCondensed Black",
      leastWeight: PANGO_WEIGHT_HEAVY.rawValue,
      fitting: Fitting(fatten: 0.04, spacing: 0, stretch: 0.9)),
  ]

  /// Finds the nearest face that is installed.
  ///
  /// - Throws: ``ImagingError/library(operation:message:)`` where there is no font at all.
  static func resolve(in context: OpaquePointer) throws(ImagingError) -> CaptionFace {
    for candidate in candidates {
      guard let loaded = LoadedFont(candidate.description, in: context),
        loaded.isExactly(candidate.description, leastWeight: candidate.leastWeight)
      else { continue }
      return face(candidate, capRatio: loaded.capRatio)
    }
    let anything = Description(family: "Sans")
    guard let loaded = LoadedFont(anything, in: context) else {
      throw .library(operation: "pango_context_load_font", message: "no font is installed")
    }
    return face(
      Candidate(description: anything, installed: loaded.family), capRatio: loaded.capRatio)
  }

  private static func face(_ candidate: Candidate, capRatio: Double) -> CaptionFace {
    // Fattening makes capitals taller by the width of its pen.
    let height = capHeight - candidate.fitting.fatten
    return CaptionFace(
      id: "impact", family: "Impact", installed: candidate.installed,
      scale: capRatio > 0 ? height / capRatio : 1, fitting: candidate.fitting,
      description: candidate.description)
  }
}

extension CaptionFace.Description {
  /// Calls `body` with a Pango description of this face.
  ///
  /// - Parameter pixels: the font size.
  func withPango<Result>(pixels: Double, _ body: (OpaquePointer?) -> Result) -> Result {
    let description = pango_font_description_new()
    defer { pango_font_description_free(description) }
    pango_font_description_set_family(description, family)
    pango_font_description_set_weight(description, PangoWeight(rawValue: weight))
    pango_font_description_set_stretch(description, PangoStretch(rawValue: stretch))
    pango_font_description_set_absolute_size(description, pixels * Double(PANGO_SCALE))
    return body(description)
  }
}

/// A font that Pango found for a description, which need not be what was asked for.
private struct LoadedFont {
  let family: String
  private let weight: UInt32
  private let stretch: UInt32
  /// The height of a capital H, in em.
  let capRatio: Double

  init?(_ description: CaptionFace.Description, in context: OpaquePointer) {
    let pixels = 1000.0
    guard
      let font = description.withPango(pixels: pixels, { pango_context_load_font(context, $0) })
    else { return nil }
    defer { g_object_unref(font) }
    let found = pango_font_describe(font)
    defer { pango_font_description_free(found) }
    family = pango_font_description_get_family(found).map { String(cString: $0) } ?? ""
    weight = pango_font_description_get_weight(found).rawValue
    stretch = pango_font_description_get_stretch(found).rawValue
    var glyph = hb_codepoint_t()
    var ink = PangoRectangle()
    if hb_font_get_nominal_glyph(pango_font_get_hb_font(font), 0x48, &glyph) != 0 {
      pango_font_get_glyph_extents(font, glyph, &ink, nil)
    }
    capRatio = Double(ink.height) / Double(PANGO_SCALE) / pixels
  }

  func isExactly(_ wanted: CaptionFace.Description, leastWeight: UInt32) -> Bool {
    // "Noto Sans Display ExtraCondensed" is the same family by another of its names.
    family.hasPrefix(wanted.family) && weight >= leastWeight && stretch == wanted.stretch
  }
}
