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
  /// The width of a pen in the fill's colour that fattens letters that are too thin, in em.
  let fatten: Double
  let description: Description

  /// The height of Impact's capitals, in em.
  static let capHeight = 0.7905

  /// What Pango is asked for.
  struct Description: Sendable, Equatable {
    let family: String
    var weight: UInt32 = PANGO_WEIGHT_NORMAL.rawValue
    var stretch: UInt32 = PANGO_STRETCH_NORMAL.rawValue
  }
}

extension CaptionFace {
  private struct Candidate {
    let description: Description
    var installed: String
    var fatten = 0.0
  }

  /// Nearest first. Of the stand-ins only Bebas Neue is too thin as it is.
  private static let candidates = [
    Candidate(description: Description(family: "Impact"), installed: "Impact"),
    Candidate(description: Description(family: "Anton"), installed: "Anton"),
    Candidate(
      description: Description(
        family: "Noto Sans Display", weight: PANGO_WEIGHT_HEAVY.rawValue,
        stretch: PANGO_STRETCH_EXTRA_CONDENSED.rawValue),
      installed: "Noto Sans Display ExtraCondensed Black"),
    Candidate(
      description: Description(family: "Bebas Neue", weight: PANGO_WEIGHT_BOLD.rawValue),
      installed: "Bebas Neue Bold", fatten: 0.03),
  ]

  /// Finds the nearest face that is installed.
  ///
  /// - Throws: ``ImagingError/library(operation:message:)`` where there is no font at all.
  static func resolve(in context: OpaquePointer) throws(ImagingError) -> CaptionFace {
    for candidate in candidates {
      guard let loaded = LoadedFont(candidate.description, in: context),
        loaded.isExactly(candidate.description)
      else { continue }
      return face(candidate, capRatio: loaded.capRatio)
    }
    let anything = Description(family: "Sans", weight: PANGO_WEIGHT_HEAVY.rawValue)
    guard let loaded = LoadedFont(anything, in: context) else {
      throw .library(operation: "pango_context_load_font", message: "no font is installed")
    }
    return face(
      Candidate(description: anything, installed: loaded.family), capRatio: loaded.capRatio)
  }

  private static func face(_ candidate: Candidate, capRatio: Double) -> CaptionFace {
    CaptionFace(
      id: "impact", family: "Impact", installed: candidate.installed,
      scale: capRatio > 0 ? capHeight / capRatio : 1, fatten: candidate.fatten,
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

  func isExactly(_ wanted: CaptionFace.Description) -> Bool {
    // "Noto Sans Display ExtraCondensed" is the same family by another of its names.
    family.hasPrefix(wanted.family) && weight >= wanted.weight && stretch == wanted.stretch
  }
}
