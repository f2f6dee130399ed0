import CPangoCairo

/// A typeface for captions: the requested family, or its substitute on this machine.
package struct CaptionFace: Sendable, Equatable {
  /// The id by which clients choose the face.
  package let id: String
  /// The requested family.
  package let family: String
  /// The installed family that is drawn, with its style if that matters.
  package let installed: String

  /// The drawn font size as a multiple of the caption's: the capitals of a substitute are as tall as Impact's.
  package let scale: Double
  package let fitting: Fitting
  let description: Description
  /// The faces that can draw a text with letters that this face lacks, nearest first.
  var standIns: [CaptionFace] = []

  /// The height of Impact's capitals, in em.
  static let capHeight = 0.7905

  /// Adjustments that bring a substitute nearer to Impact's weight and width. Lengths are in em.
  package struct Fitting: Sendable, Equatable {
    /// The width of the pen in the fill's color that thickens thin letters.
    package var fatten = 0.0
    /// Whether the pen thickens the euro sign too. In some fonts the bars of the sign would merge.
    package var fattensEuro = true
    /// The extra space between letters.
    package var spacing = 0.0
    /// The extra width of the space between words.
    package var wordSpacing = 0.0
    /// The factor by which letters are widened.
    package var stretch = 1.0

    /// The room outside the letters that the outline's pen and the fattening pen need, both sides together.
    func pen(outline: Double) -> Double { max(outline + fatten, fatten * Self.miterLimit) }

    /// How far the corners of fattened letters may extend, in half pen widths. Right angles stay sharp.
    static let miterLimit = 1.5
  }

  /// The font request to Pango.
  struct Description: Sendable, Equatable {
    let family: String
    var stretch: UInt32 = PANGO_STRETCH_NORMAL.rawValue
    /// The weight of the family, and of the fallback families that draw the characters it lacks.
    var weight: UInt32 = PANGO_WEIGHT_HEAVY.rawValue
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
