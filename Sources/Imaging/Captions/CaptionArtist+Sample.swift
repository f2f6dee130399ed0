package import Bytes

extension CaptionArtist {
  /// Draws a small caption and checks the result. This also loads the data that the first caption would wait for.
  ///
  /// - Throws: ``ImagingError/library(operation:message:)`` if nothing is drawn.
  package func warmUp() throws(ImagingError) {
    let picture = PixelBuffer()
    picture.reshape(width: 160, height: 120, channels: 3)
    picture.pixels.initializeMemory(as: UInt8.self, repeating: 128)
    _ = try draw("Meme", at: .top, look: CaptionLook(), on: picture)
    // Both the fill and the outline must be visible.
    guard picture.pixels.contains(255), picture.pixels.contains(0) else {
      throw .library(
        operation: "caption",
        message: "the caption is empty with the font \(face(CaptionLook().font).installed)")
    }
  }

  /// Returns a transparent PNG of 480×144 pixels that shows the face's name as a caption in that face, or `nil` if no
  /// face has this id.
  package func sample(of id: String) throws(ImagingError) -> Bytes? {
    guard let face = faces.first(where: { $0.id == id }) else { return nil }
    let picture = PixelBuffer()
    picture.reshape(width: 480, height: 144, channels: 4)
    picture.pixels.initializeMemory(as: UInt8.self, repeating: 0)
    var look = CaptionLook()
    (look.font, look.size, look.letters) = (id, 0.7, .asTyped)
    // If the face lacks lowercase letters, a stand-in would draw the name.
    if !face.standIns.isEmpty { look.letters = .capitals }
    let box = InkBox(left: 8, top: 8, width: 464, height: 128)
    _ = try draw(BoxedText(face.family, in: box, at: .middle, look: look), on: picture)
    return try PictureEncoder.png(picture)
  }
}
