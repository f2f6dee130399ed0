package import Bytes
package import Memes

/// One thing that a drawer does, without the file that it does it to.
package struct RenderJob: Sendable {
  package enum Work: Sendable {
    /// Draws a meme.
    case meme(MemeTask)
    /// Reads the head of the file.
    case head
    /// The middle of the file, in every size of an avatar.
    case avatar
    /// A square with letters.
    case initials(String, Colour, AvatarSize)
    /// Copies the part of the file that all may have, and makes a small picture of it.
    case template
    /// Decodes all of the file and compares it with what is known of it.
    case flaw(PictureFormat, PixelSize)
    /// Draws a small caption, to show that drawing works.
    case trial
    case faces
    /// Which kinds of file of these can be written.
    case writable([OutputFormat])
    /// Which kinds of file of the limits' can be read.
    case readable
    case sample(FontID)
    case fontFile(FontID)
  }

  /// Reads the file of a picture, on the thread that asks.
  package typealias FileReader = @Sendable () throws(MemeError) -> Bytes

  package let work: Work
  /// `nil` for what needs none.
  package let picture: OrderedPicture?
  package let limits: PictureLimits

  package init(_ work: Work, _ picture: OrderedPicture? = nil, limits: PictureLimits = .none) {
    (self.work, self.picture, self.limits) = (work, picture, limits)
  }
}

/// How a meme is drawn: a ``RenderOrder`` without its picture.
package struct MemeTask: Sendable, Equatable {
  package let recipe: Recipe
  package let maxEdge: MaxEdge
  package let format: OutputFormat?
  package let acceptableFormats: [OutputFormat]
  package let thumbnails: Bool

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
  }
}

extension RenderJob {
  /// Whether more of its kind are likely to follow: not what a server asks once, at its start.
  var draws: Bool {
    switch work {
    case .readable, .writable, .faces: false
    default: true
    }
  }

  /// Whether it is charged. The others are done once, and kept.
  var costs: Bool {
    switch work {
    case .initials, .trial, .faces, .writable, .readable, .sample: false
    case .meme, .head, .avatar, .template, .flaw, .fontFile: true
    }
  }

  /// Names the picture that previews are drawn on, of which more follow; `nil` for anything else.
  package var shelvedDigest: Digest? {
    guard case .meme(let task) = work, !task.thumbnails, case .kept(let picture) = picture
    else { return nil }
    return picture.facts.digest
  }
}

extension PictureLimits {
  /// For a job without a picture.
  package static let none = PictureLimits(pixels: 0)
}
