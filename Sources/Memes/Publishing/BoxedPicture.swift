package import Bytes

/// A box on the picture of a meme that holds another picture, such as a sticker or a second panel. It is drawn below
/// the captions.
package struct PictureBox: Hashable, Sendable {
  /// How a picture with another aspect ratio fills the box.
  package enum Fit: String, CaseIterable, Sendable {
    /// The whole picture is visible.
    case contain
    /// The whole box is covered, and the rest of the picture is cut off.
    case cover
  }

  /// The position and size before rotation, as for captions. If there are bars, without the bars.
  package let place: CaptionBox.Place
  /// In degrees clockwise, around the center of the box; in ``CaptionBox/rotations``.
  package let rotation: Double
  package let fit: Fit

  package init(place: CaptionBox.Place, rotation: Double = 0, fit: Fit = .contain) {
    (self.place, self.rotation, self.fit) = (place, rotation, fit)
  }
}

extension PictureBox {
  /// A square box, moved into the picture.
  ///
  /// - Parameters:
  ///   - x: the center, as a fraction of the width.
  ///   - y: the center, as a fraction of the height.
  ///   - scale: the edge of the square, as a fraction of the shorter edge of the picture.
  ///   - size: the size of the picture.
  /// - Returns: `nil` if a number is not finite.
  package init?(
    squareAround x: Double, _ y: Double, scale: Double, rotation: Double = 0, on size: PixelSize
  ) {
    let (across, down) = (Double(max(1, size.width)), Double(max(1, size.height)))
    let edge = min(across, down) * scale
    let (width, height) = (edge / across, edge / down)
    guard
      let place = CaptionBox.Place(
        movingIntoPicture: x - width / 2, y - height / 2, width, height)
    else { return nil }
    self.init(place: place, rotation: rotation)
  }
}

/// A picture for a box, in a request.
package struct BoxedPicture: Sendable, Equatable {
  package enum Source: Sendable, Equatable {
    /// A file that belongs to the request.
    case image(Bytes)
    /// A file that the client uploaded before.
    case upload(UploadID)
    /// A template, available to everyone.
    case template(TemplateID)
    /// The picture in the box at this index of the meme before the edit.
    case kept(Int)
  }

  package let source: Source
  package let box: PictureBox

  package init(_ source: Source, in box: PictureBox) { (self.source, self.box) = (source, box) }

  /// The maximum number of pictures of a meme.
  package static let maximumCount = 8
  /// The maximum size of all of a meme's pictures in boxes together, in bytes.
  package static let maximumBytes = 32 << 20
}

extension InvalidValue {
  /// The error for pictures above ``BoxedPicture/maximumBytes``.
  package static let tooLargeTogether = InvalidValue(
    code: "too-large",
    message: "The pictures may have at most \(BoxedPicture.maximumBytes >> 20) MiB together.")
}

extension BoxedPicture.Source {
  package var isKept: Bool { if case .kept = self { true } else { false } }

  /// The member of the request.
  package var field: String {
    switch self {
    case .image: "file"
    case .upload: "upload"
    case .template: "template"
    case .kept: "kept"
    }
  }
}

/// The picture of a box, ready to be stored.
package struct BoxedFile: Sendable {
  package let facts: PictureFacts
  package let source: FileSource

  package init(_ facts: PictureFacts, _ source: FileSource) {
    (self.facts, self.source) = (facts, source)
  }
}
