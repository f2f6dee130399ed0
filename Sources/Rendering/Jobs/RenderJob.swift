package import Bytes
package import Memes

/// A task for a drawer. The file of its picture is read separately.
package struct RenderJob: Sendable {
  package enum Work: Sendable {
    /// Draws a meme.
    case meme(MemeTask)
    /// Reads the header of the file.
    case head
    /// Makes avatars of the center of the file, in all sizes.
    case avatar
    /// Draws a square with letters.
    case initials(String, Color, AvatarSize)
    /// Makes the public copy of the file, and a thumbnail.
    case template
    /// Decodes the whole file and compares it with its recorded format and size.
    case flaw(PictureFormat, PixelSize)
    /// Draws a small caption, to show that drawing works.
    case trial
    case faces
    /// Determines which of these formats can be written.
    case writable([OutputFormat])
    /// Determines which formats in the limits cannot be read.
    case readable
    case sample(FontID)
    case fontFile(FontID)
  }

  /// Reads the file of a picture, on the calling thread.
  package typealias FileReader = @Sendable () throws -> Bytes

  package let work: Work
  /// `nil` for work that needs no picture.
  package let picture: RenderSource?
  /// The pictures of the boxes of a meme.
  package let boxed: [BoxSource]
  package let limits: PictureLimits

  package init(
    _ work: Work, _ picture: RenderSource? = nil, boxed: [BoxSource] = [],
    limits: PictureLimits = .none
  ) {
    (self.work, self.picture, self.boxed, self.limits) = (work, picture, boxed, limits)
  }
}

/// The parameters of a meme: a ``RenderOrder`` without its pictures.
package struct MemeTask: Sendable, Equatable {
  package let recipe: Recipe
  package let maxEdge: MaxEdge
  package let format: OutputFormat?
  package let acceptableFormats: [OutputFormat]
  package let thumbnails: Bool
  package var canvas: PixelSize?
  package var sizeLimit: PixelSize?

  package init(
    recipe: Recipe, maxEdge: MaxEdge, format: OutputFormat?, acceptableFormats: [OutputFormat],
    thumbnails: Bool
  ) {
    (self.recipe, self.maxEdge, self.format) = (recipe, maxEdge, format)
    (self.acceptableFormats, self.thumbnails) = (acceptableFormats, thumbnails)
  }

  init(_ order: RenderOrder) {
    self.init(
      recipe: order.recipe, maxEdge: order.maxEdge, format: order.format,
      acceptableFormats: order.acceptableFormats, thumbnails: order.thumbnails)
    (canvas, sizeLimit) = (order.canvas, order.sizeLimit)
  }
}

extension RenderJob {
  /// Whether more jobs of this kind are likely to follow. `false` for queries that the server makes once, at its start.
  var draws: Bool {
    switch work {
    case .readable, .writable, .faces: false
    default: true
    }
  }

  /// Whether the requester is charged. Jobs that are free run once, and their results are cached.
  var costs: Bool {
    switch work {
    case .initials, .trial, .faces, .writable, .readable, .sample: false
    case .meme, .head, .avatar, .template, .flaw, .fontFile: true
    }
  }

  /// The digest of the picture that a series of previews is drawn on; `nil` for all other jobs.
  ///
  /// A job with pictures in boxes always has the files of all pictures.
  package var shelvedDigest: Digest? {
    guard case .meme(let task) = work, !task.thumbnails, boxed.isEmpty,
      case .kept(let picture) = picture
    else { return nil }
    return picture.facts.digest
  }
}

extension PictureLimits {
  /// For a job without a picture.
  package static let none = PictureLimits(pixels: 0)
}
