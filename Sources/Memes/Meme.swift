/// A picture with captions, as it was sent.
package struct Meme: Sendable, Equatable {
  package let id: MemeID
  /// Whose it is; `nil` for nobody's, which is for everybody to see.
  package let author: Author?
  package internal(set) var visibility: Visibility
  /// Counts edits, from 1.
  package internal(set) var version: Int
  package let createdAt: Timestamp
  package internal(set) var updatedAt: Timestamp
  package internal(set) var recipe: Recipe
  package internal(set) var altText: AltText
  package internal(set) var original: PictureFacts
  package internal(set) var image: PictureFacts
  package internal(set) var tableThumbnail: PictureFacts
  package internal(set) var gridThumbnail: PictureFacts
  /// How each caption that was drawn fits its box, in their order.
  package internal(set) var fit: [CaptionFit]
  /// As who asked for the meme has them.
  package let counts: MemeCounts
  /// Whether who asked for the meme likes it.
  package let isLiked: Bool
  /// Whether it is among the favorites of who asked for it.
  package let isFavorited: Bool
  /// Whether the meme may only be private, because its picture is from a meme that another author shows to friends alone.
  package internal(set) var isPrivateOnly: Bool

  package init(
    id: MemeID, author: Author? = nil, visibility: Visibility = .public, version: Int,
    createdAt: Timestamp, updatedAt: Timestamp, recipe: Recipe, altText: AltText,
    original: PictureFacts, image: PictureFacts,
    tableThumbnail: PictureFacts, gridThumbnail: PictureFacts, fit: [CaptionFit],
    counts: MemeCounts = MemeCounts(), isLiked: Bool = false, isFavorited: Bool = false,
    isPrivateOnly: Bool = false
  ) {
    (self.id, self.version) = (id, version)
    (self.author, self.visibility) = (author, visibility)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    (self.recipe, self.altText) = (recipe, altText)
    (self.original, self.image) = (original, image)
    (self.tableThumbnail, self.gridThumbnail) = (tableThumbnail, gridThumbnail)
    (self.fit, self.counts) = (fit, counts)
    (self.isLiked, self.isFavorited) = (isLiked, isFavorited)
    self.isPrivateOnly = isPrivateOnly
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

  /// Of its files.
  package var byteCount: Int { PictureRole.allCases.reduce(0) { $0 + facts(of: $1).byteCount } }
}

/// How much people did with a meme.
///
/// What people did who are apart from the viewer is not in it, but for what nobody can tell whose it is.
package struct MemeCounts: Sendable, Equatable {
  package let likes: Int
  /// Of whom, is nobody's business: everybody has the same number.
  package let favorites: Int
  package let comments: Int
  package let shares: Int

  package init(likes: Int = 0, favorites: Int = 0, comments: Int = 0, shares: Int = 0) {
    (self.likes, self.favorites) = (likes, favorites)
    (self.comments, self.shares) = (comments, shares)
  }
}

/// How a caption came out.
package struct CaptionFit: Sendable, Equatable {
  package enum Position: Hashable, Sendable {
    case top, bottom
    /// The caption at this place among ``Recipe/captions``, from 0.
    case box(Int)
  }

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

extension CaptionFit.Position: CustomStringConvertible {
  /// What clients call it: the path of the field with the text.
  package var description: String {
    switch self {
    case .top: "top"
    case .bottom: "bottom"
    case .box(let index): "captions[\(index)]"
    }
  }
}
