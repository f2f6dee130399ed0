/// A picture with captions.
package struct Meme: Sendable, Equatable {
  package let id: MemeID
  /// The author; `nil` for an anonymous meme, which is public.
  package let author: Author?
  package var visibility: Visibility
  /// The version. It starts at 1 and grows with every edit.
  package var version: Int
  package let createdAt: Timestamp
  package var updatedAt: Timestamp
  package var recipe: Recipe
  package var altText: AltText
  /// Without repetitions, at most ``Tag/maximumCount``, in the order in which the author gave them.
  package var tags: [Tag]
  /// The meme whose picture this is; `nil` if the picture is from elsewhere. It may have been deleted.
  package var source: MemeID?
  /// Whether the viewer can see ``source``.
  package var seesSource = false
  package var original: PictureFacts
  package var image: PictureFacts
  package var tableThumbnail: PictureFacts
  package var gridThumbnail: PictureFacts
  /// How each drawn caption fits its box, in order.
  package var fit: [CaptionFit]
  /// The counts as the viewer sees them.
  package let counts: MemeCounts
  /// Whether the viewer likes the meme.
  package let isLiked: Bool
  /// Whether the meme is one of the viewer's favorites.
  package let isFavorited: Bool
  /// Whether the meme must stay private, because its picture is from a friends-only meme of another author.
  package var isPrivateOnly: Bool

  package init(
    id: MemeID, author: Author? = nil, visibility: Visibility = .public, version: Int,
    createdAt: Timestamp, updatedAt: Timestamp, recipe: Recipe, altText: AltText,
    tags: [Tag] = [], original: PictureFacts, image: PictureFacts,
    tableThumbnail: PictureFacts, gridThumbnail: PictureFacts, fit: [CaptionFit],
    counts: MemeCounts = MemeCounts(), isLiked: Bool = false, isFavorited: Bool = false,
    isPrivateOnly: Bool = false
  ) {
    (self.id, self.version) = (id, version)
    (self.author, self.visibility) = (author, visibility)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    (self.recipe, self.altText, self.tags) = (recipe, altText, tags)
    (self.original, self.image) = (original, image)
    (self.tableThumbnail, self.gridThumbnail) = (tableThumbnail, gridThumbnail)
    (self.fit, self.counts) = (fit, counts)
    (self.isLiked, self.isFavorited) = (isLiked, isFavorited)
    self.isPrivateOnly = isPrivateOnly
  }

  /// The facts of one of the meme's files.
  package func facts(of role: PictureRole) -> PictureFacts {
    switch role {
    case .original: original
    case .image: image
    case .tableThumbnail: tableThumbnail
    case .gridThumbnail: gridThumbnail
    }
  }

  /// The meme whose picture this is, if the viewer can see it.
  package var remixOf: MemeID? { seesSource ? source : nil }

  /// The total size of the meme's files, without the pictures in boxes.
  package var byteCount: Int { PictureRole.allCases.reduce(0) { $0 + facts(of: $1).byteCount } }
}

/// The numbers of reactions to a meme.
///
/// Users who block the viewer, or whom the viewer blocks, do not count, except in numbers that reveal no user.
package struct MemeCounts: Sendable, Equatable {
  package let likes: Int
  /// The same number for every viewer, because favorites are private.
  package let favorites: Int
  package let comments: Int
  package let shares: Int

  package init(likes: Int = 0, favorites: Int = 0, comments: Int = 0, shares: Int = 0) {
    (self.likes, self.favorites) = (likes, favorites)
    (self.comments, self.shares) = (comments, shares)
  }
}

/// How a caption fits its box.
package struct CaptionFit: Sendable, Equatable {
  package enum Position: Hashable, Sendable {
    case top, bottom
    /// The caption at this index of ``Recipe/captions``.
    case box(Int)
  }

  package let position: Position
  /// In pixels of the rendered picture.
  package let fontSize: Double
  package let lines: Int
  /// Whether the text was made smaller than the style's size so that it fits.
  package let shrunk: Bool
  /// Whether part of the text is missing, because it fits at no readable size.
  package let truncated: Bool
  /// The characters that no installed font has, each once.
  package let missingGlyphs: [String]

  package init(
    position: Position, fontSize: Double, lines: Int, shrunk: Bool, truncated: Bool,
    missingGlyphs: [String]
  ) {
    (self.position, self.fontSize, self.lines) = (position, fontSize, lines)
    (self.shrunk, self.truncated, self.missingGlyphs) = (shrunk, truncated, missingGlyphs)
  }
}

extension CaptionFit.Position: CustomStringConvertible {
  /// The path of the text field in the API.
  package var description: String {
    switch self {
    case .top: "top"
    case .bottom: "bottom"
    case .box(let index): "captions[\(index)]"
    }
  }
}
