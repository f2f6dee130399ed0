package import Bytes
package import Memes

/// What came of a ``RenderJob``. A job and its result have the same names, but for a meme's.
package enum RenderResult: Sendable, Equatable {
  case meme(DrawnMeme)
  case head(PictureHead)
  case avatar([DrawnFile])
  case initials(DrawnFile)
  case template(DrawnFile, thumbnail: DrawnFile)
  case flaw(PictureFlaw?)
  case trial
  /// - Parameter added: how many families were added to the machine's.
  case faces([FontFace], added: Int)
  case writable([OutputFormat])
  /// - Parameter missing: what this machine cannot read.
  case readable(missing: [PictureFormat])
  case sample(Bytes)
  case fontFile(Bytes)
}

/// What the head of a file says.
package struct PictureHead: Sendable, Equatable {
  /// Upright.
  package let size: PixelSize
  package let format: PictureFormat

  package init(size: PixelSize, format: PictureFormat) { (self.size, self.format) = (size, format) }
}

/// A meme as it was drawn, before anybody has counted digests.
package struct DrawnMeme: Sendable, Equatable {
  /// Of the picture that was drawn on, upright.
  package let original: PictureHead
  /// What was made of somebody else's picture, and drawn on.
  package var copy: Bytes?
  package let image: DrawnFile
  package var thumbnails: Thumbnails?
  package let fit: [CaptionFit]

  package struct Thumbnails: Sendable, Equatable {
    package let table: DrawnFile
    package let grid: DrawnFile

    package init(table: DrawnFile, grid: DrawnFile) { (self.table, self.grid) = (table, grid) }
  }

  package init(original: PictureHead, copy: Bytes? = nil, image: DrawnFile, fit: [CaptionFit]) {
    (self.original, self.copy, self.image, self.fit) = (original, copy, image, fit)
  }
}
