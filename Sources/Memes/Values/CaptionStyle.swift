/// The style of captions.
package struct CaptionStyle: Hashable, Sendable {
  package static let outlineWidths = 0.0...0.3
  package static let sizes = 0.02...0.5

  package var font = FontID.impact
  /// The color of the letters.
  package var fill = Color.white
  /// The color of the outline.
  package var outline = Color.black
  /// The stroke width of the outline, as a fraction of the font size. Half of it is visible outside the letters.
  package var outlineWidth = 0.11
  /// The maximum font size, as a fraction of the picture's height. Text is shrunk to fit.
  package var size = 0.14
  package var letterCase = LetterCase.upper
  package var align = Alignment.center

  /// Whether letters are drawn in uppercase or as typed.
  package enum LetterCase: String, CaseIterable, Sendable { case upper, typed }

  /// The horizontal alignment of lines, independent of the direction of the script.
  package enum Alignment: String, CaseIterable, Sendable { case left, center, right }

  package init(fill: Color = .white, outline: Color = .black) {
    (self.fill, self.outline) = (fill, outline)
  }
}

extension CaptionStyle {
  /// The default style: capitals, white with a black outline, on a picture; black text in a bar.
  package static func standard(for layout: CaptionLayout) -> CaptionStyle {
    var style = CaptionStyle()
    if layout == .bar {
      (style.font, style.fill, style.outlineWidth) = (.sans, .black, 0)
      (style.letterCase, style.align, style.size) = (.typed, .left, 0.1)
    }
    return style
  }
}
