package import Bytes
package import Memes

/// The result of a ``RenderJob``. Each case has the name of the work that it results from.
package enum RenderResult: Sendable, Equatable {
  case meme(DrawnMeme)
  case head(PictureHead)
  case avatar([DrawnFile])
  case initials(DrawnFile)
  case template(DrawnFile, thumbnail: DrawnFile)
  case flaw(PictureFlaw?)
  case trial
  /// - Parameter added: the number of font families added to those of the machine.
  case faces([FontFace], added: Int)
  case writable([OutputFormat])
  /// - Parameter missing: the formats that this machine cannot read.
  case readable(missing: [PictureFormat])
  case sample(Bytes)
  case fontFile(Bytes)
}

extension RenderResult {
  /// The pictures in the result.
  var files: [DrawnFile] {
    switch self {
    case .meme(let meme):
      let copy = meme.copy.map {
        DrawnFile(size: meme.original.size, format: meme.original.format, bytes: $0)
      }
      return [meme.image] + (meme.thumbnails.map { [$0.table, $0.grid] } ?? [])
        + (copy.map { [$0] } ?? []) + meme.boxed.compactMap(\.self)
    case .avatar(let files): return files
    case .initials(let file): return [file]
    case .template(let copy, let thumbnail): return [copy, thumbnail]
    case .sample(let file):
      return [DrawnFile(size: PixelSize(width: 1, height: 1), format: .png, bytes: file)]
    case .head, .flaw, .trial, .faces, .writable, .readable, .fontFile: return []
    }
  }
}

extension RenderResult {
  /// Whether the pictures are those that the job asks for, and no larger than it allows. The server stores their
  /// reported sizes.
  func isWithin(_ job: RenderJob) -> Bool {
    var files: [(DrawnFile, longestEdge: Int)] = []
    switch (self, job.work) {
    case (.meme(let meme), .meme(let task)):
      guard meme.boxed.map({ $0 != nil }) == job.boxed.map(\.isCopied) else { return false }
      files = [(meme.image, max(task.maxEdge.pixels, task.canvas?.longestEdge ?? 0))]
      if let small = meme.thumbnails { files += [(small.grid, 512), (small.table, 192)] }
    case (.avatar(let drawn), _):
      files = zip(drawn, AvatarSize.allCases).map { ($0, $1.rawValue) }
    default: break
    }
    return files.allSatisfy { $0.size.longestEdge <= $1 }
  }
}

/// Facts from the header of a file.
package struct PictureHead: Sendable, Equatable {
  /// The size of the upright picture.
  package let size: PixelSize
  package let format: PictureFormat

  package init(size: PixelSize, format: PictureFormat) { (self.size, self.format) = (size, format) }
}

/// A drawn meme, before its digests are computed.
package struct DrawnMeme: Sendable, Equatable {
  /// The facts of the picture that was drawn on, upright.
  package let original: PictureHead
  /// The public copy of another user's picture, on which the meme was drawn.
  package var copy: Bytes?
  package let image: DrawnFile
  package var thumbnails: Thumbnails?
  package let fit: [CaptionFit]
  /// The copy of each picture in a box; `nil` for one that was not copied.
  package var boxed: [DrawnFile?] = []

  package struct Thumbnails: Sendable, Equatable {
    package let table: DrawnFile
    package let grid: DrawnFile

    package init(table: DrawnFile, grid: DrawnFile) { (self.table, self.grid) = (table, grid) }
  }

  package init(original: PictureHead, copy: Bytes? = nil, image: DrawnFile, fit: [CaptionFit]) {
    (self.original, self.copy, self.image, self.fit) = (original, copy, image, fit)
  }
}
