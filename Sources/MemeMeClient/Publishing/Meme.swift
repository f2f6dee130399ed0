public import Foundation

/// A picture with captions.
public struct Meme: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Meme>

  public var id: ID
  /// The version number. It starts at 1 and increases with each edit. Edits and deletions can require a version.
  public var version: Int
  public var createdAt: Date
  public var updatedAt: Date
  /// The author; `nil` if the meme was made without an account.
  public var author: Author?
  public var visibility: Visibility
  /// The captions at the top and bottom, as typed; empty if there are none.
  public var top: String
  public var bottom: String
  /// The captions in their own boxes, in drawing order.
  public var captions: [CaptionBox]
  /// The boxes that hold pictures, in drawing order, below the captions; `nil` from a server that has none.
  public var pictures: [PictureBox]?
  public var style: Style
  /// The visible part of the original; `nil` if it is not cropped.
  public var crop: Crop?
  /// The text alternative for screen readers.
  public var altText: String
  /// The tags, in lowercase; `nil` from a server that has no tags.
  public var tags: [String]?
  /// The meme whose picture this is, if the caller can see it.
  public var remixOf: Meme.ID?
  public var image: Image
  /// The picture as it was uploaded; `nil` if the caller may not download it.
  public var original: Original?
  public var thumbnails: Thumbnails
  /// The layout results of the rendered captions, top caption first.
  public var fit: [Fit]
  public var counts: Counts
  public var viewer: Viewer
}

extension Meme {
  /// The people who can see a meme in addition to its author.
  public struct Visibility: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everyone.
    public static let everyone: Self = "public"
    /// Friends of the author: users who follow the author and are followed by the author.
    public static let friends: Self = "friends"
    public static let onlyMe: Self = "private"
  }

  /// The numbers of reactions and shares, as visible to the caller.
  public struct Counts: Sendable, Hashable, Codable {
    public var likes: Int
    public var favorites: Int
    public var comments: Int
    public var shares: Int
  }

  /// The caller's reactions and permissions for a meme.
  public struct Viewer: Sendable, Hashable, Codable {
    public var liked: Bool
    public var favorited: Bool
    public var canEdit: Bool
    public var canDelete: Bool
  }

  /// The layout result of a caption.
  public struct Fit: Sendable, Hashable, Codable {
    /// The caption: `top`, `bottom`, `captions[0]`, and so on.
    public var position: String
    /// The font size in pixels of the rendered image.
    public var fontSize: Double
    public var lines: Int
    /// Whether the font is smaller than the style requests, so that the text fits.
    public var shrunk: Bool
    /// Whether some text is missing because it does not fit at any readable size.
    public var truncated: Bool
    /// The characters that no font of the server contains, each listed once.
    public var missingGlyphs: [String]
  }
}
