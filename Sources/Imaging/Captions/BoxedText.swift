/// A text to draw into a box of a picture.
package struct BoxedText {
  package var text: String
  package var box: InkBox
  /// The edge of the box at which the text is placed if it does not fill the box.
  package var edge: CaptionEdge
  /// In degrees, clockwise. The text is fitted to the upright box; then both turn about the box's center.
  package var rotation: Double
  package var look: CaptionLook

  package init(
    _ text: String, in box: InkBox, at edge: CaptionEdge, rotation: Double = 0, look: CaptionLook
  ) {
    (self.text, self.box, self.edge) = (text, box, edge)
    (self.rotation, self.look) = (rotation, look)
  }

  /// A text in the caption box of a picture at `edge`.
  package init(_ text: String, at edge: CaptionEdge, look: CaptionLook, on picture: PixelBuffer) {
    let box = InkBox(edge, inPictureOfWidth: picture.width, height: picture.height)
    self.init(text, in: box, at: edge, look: look)
  }
}
