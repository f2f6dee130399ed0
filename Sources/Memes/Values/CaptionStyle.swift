/// How captions look.
package struct CaptionStyle: Hashable, Sendable {
  package static let outlineWidths = 0.0...0.3
  package static let sizes = 0.02...0.5

  package var font = FontID.impact
  /// The colour of the letters.
  package var fill = Colour.white
  /// The colour of their outline.
  package var outline = Colour.black
  /// The width of the pen that draws the outline, as a fraction of the font size; half of it shows outside the letters.
  package var outlineWidth = 0.11
  /// The largest font size, as a fraction of the picture's height; text shrinks below it to fit.
  package var size = 0.14
  package var letterCase = LetterCase.upper
  package var align = Alignment.center

  /// Whether letters are drawn as capitals or as they were typed.
  package enum LetterCase: String, CaseIterable, Sendable { case upper, typed }

  /// Where the lines of a caption begin or end, whichever way its script is written.
  package enum Alignment: String, CaseIterable, Sendable { case left, center, right }

  package init(fill: Colour = .white, outline: Colour = .black) {
    (self.fill, self.outline) = (fill, outline)
  }
}

extension CaptionStyle {
  /// What nobody chose otherwise: white with a black outline on a picture, plain black in a bar.
  package static func standard(for layout: CaptionLayout) -> CaptionStyle {
    var style = CaptionStyle()
    if layout == .bar { (style.fill, style.outlineWidth) = (.black, 0) }
    return style
  }
}
