/// A picture with captions, as it was sent.
package struct Meme: Sendable, Equatable {
  package let id: MemeID
  /// Counts edits, from 1.
  package let version: Int
  package let createdAt: Timestamp
  package let updatedAt: Timestamp
  package let top: CaptionText
  package let bottom: CaptionText
  package let style: CaptionStyle
  package let altText: AltText
  package let original: PictureFacts
  package let image: PictureFacts
  package let tableThumbnail: PictureFacts
  package let gridThumbnail: PictureFacts
  /// How each caption that was drawn fits its box, top first.
  package let fit: [CaptionFit]
  /// How often it was shared.
  package let shareCount: Int

  package init(
    id: MemeID, version: Int, createdAt: Timestamp, updatedAt: Timestamp, top: CaptionText,
    bottom: CaptionText, style: CaptionStyle, altText: AltText, original: PictureFacts,
    image: PictureFacts, tableThumbnail: PictureFacts, gridThumbnail: PictureFacts,
    fit: [CaptionFit], shareCount: Int = 0
  ) {
    (self.id, self.version) = (id, version)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    (self.top, self.bottom, self.style, self.altText) = (top, bottom, style, altText)
    (self.original, self.image) = (original, image)
    (self.tableThumbnail, self.gridThumbnail) = (tableThumbnail, gridThumbnail)
    (self.fit, self.shareCount) = (fit, shareCount)
  }

  /// What is known of one of the meme's files.
  package func facts(of role: PictureRole) -> PictureFacts {
    switch role {
    case .original: original
    case .image: image
    case .tableThumbnail: tableThumbnail
    case .gridThumbnail: gridThumbnail
    }
  }
}

/// How a caption came out.
package struct CaptionFit: Sendable, Equatable {
  package enum Position: String, Sendable { case top, bottom }

  package let position: Position
  /// In pixels of the rendered picture.
  package let fontSize: Double
  package let lines: Int
  /// Whether the text is smaller than the style asked for, so that it fits.
  package let shrunk: Bool
  /// Whether some of the text is not drawn, because it fits at no readable size.
  package let truncated: Bool
  /// The characters that no installed font can draw, each once.
  package let missingGlyphs: [String]

  package init(
    position: Position, fontSize: Double, lines: Int, shrunk: Bool, truncated: Bool,
    missingGlyphs: [String]
  ) {
    (self.position, self.fontSize, self.lines) = (position, fontSize, lines)
    (self.shrunk, self.truncated, self.missingGlyphs) = (shrunk, truncated, missingGlyphs)
  }
}
