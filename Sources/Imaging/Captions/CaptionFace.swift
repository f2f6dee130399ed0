import CPangoCairo

/// A typeface that captions are drawn in: the one that was wished for, or what stands in for it on this machine.
package struct CaptionFace: Sendable, Equatable {
  /// The name under which clients ask for it.
  package let id: String
  /// The family that was wished for.
  package let family: String
  /// The family, and style where it matters, that is installed and drawn.
  package let installed: String

  /// The drawn font size as a multiple of the caption's: a stand-in's capitals are as tall as Impact's.
  package let scale: Double
  package let fitting: Fitting
  let description: Description
  /// What draws a text that this face lacks letters of, nearest first.
  var standIns: [CaptionFace] = []

  /// The height of Impact's capitals, in em.
  static let capHeight = 0.7905

  /// What brings a stand-in nearer to Impact's weight and width. Lengths are in em.
  package struct Fitting: Sendable, Equatable {
    /// The width of a pen in the fill's colour around letters that are too thin.
    package var fatten = 0.0
    /// Whether the euro sign is drawn with that pen too: the bars of some would grow together.
    package var fattensEuro = true
    /// What is added between letters.
    package var spacing = 0.0
    /// What is added to the space between words.
    package var wordSpacing = 0.0
    /// How much wider letters are drawn.
    package var stretch = 1.0

    /// What the outline's pen and this one's need outside the letters, both sides together.
    func pen(outline: Double) -> Double { max(outline + fatten, fatten * Self.miterLimit) }

    /// How far corners of the fattened letters may reach, in half pens: right angles stay sharp.
    static let miterLimit = 1.5
  }

  /// What Pango is asked for.
  struct Description: Sendable, Equatable {
    let family: String
    var stretch: UInt32 = PANGO_STRETCH_NORMAL.rawValue
    /// Of the family itself, and of the families that draw what it lacks.
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
