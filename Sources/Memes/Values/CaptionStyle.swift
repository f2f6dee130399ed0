/// How captions look.
package struct CaptionStyle: Hashable, Sendable {
  /// The colour of the letters.
  package var fill = Colour.white
  /// The colour of their outline.
  package var outline = Colour.black
  /// The width of the pen that draws the outline, as a fraction of the font size; half of it shows outside the letters.
  package var outlineWidth = 0.11
  /// The largest font size, as a fraction of the picture's height; text shrinks below it to fit.
  package var size = 0.14

  package init(fill: Colour = .white, outline: Colour = .black) {
    (self.fill, self.outline) = (fill, outline)
  }
}
