public import Foundation

/// A picture with captions.
public struct Meme: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Meme>

  public var id: ID
  /// Counts edits, from 1. An edit or a deletion may be made for one version alone.
  public var version: Int
  public var createdAt: Date
  public var updatedAt: Date
  /// Whose it is; `nil` for what was made without an account.
  public var author: Author?
  public var visibility: Visibility
  /// The captions above and below, as they were typed; empty where there are none.
  public var top: String
  public var bottom: String
  /// Captions in boxes of their own, in the order in which they are drawn.
  public var captions: [CaptionBox]
  public var style: Style
  /// The part of the original that is shown; `nil` where it is all of it.
  public var crop: Crop?
  /// What a screen reader says in place of the picture.
  public var altText: String
  public var image: Image
  /// The picture as it was uploaded; `nil` for a viewer who may not fetch it.
  public var original: Original?
  public var thumbnails: Thumbnails
  /// How each caption that was drawn came out, the top one first.
  public var fit: [Fit]
  public var counts: Counts
  public var viewer: Viewer
}

extension Meme {
  /// Who may see a meme beside its author.
  public struct Visibility: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everybody.
    public static let everyone: Self = "public"
    /// Those who follow the author and are followed by them.
    public static let friends: Self = "friends"
    public static let onlyMe: Self = "private"
  }

  /// What people did with it, as the viewer has it.
  public struct Counts: Sendable, Hashable, Codable {
    public var likes: Int
    public var favorites: Int
    public var comments: Int
    public var shares: Int
  }

  /// What the meme is to whoever asks.
  public struct Viewer: Sendable, Hashable, Codable {
    public var liked: Bool
    public var favorited: Bool
    public var canEdit: Bool
    public var canDelete: Bool
  }

  /// How a caption came out.
  public struct Fit: Sendable, Hashable, Codable {
    /// Which caption it is: `top`, `bottom`, `captions[0]`, and so on.
    public var position: String
    /// In pixels of the meme's picture.
    public var fontSize: Double
    public var lines: Int
    /// Whether it is smaller than the style asks for, so that it fits.
    public var shrunk: Bool
    /// Whether some of it is not drawn, because it fits at no readable size.
    public var truncated: Bool
    /// The characters that no font of the server can draw, each once.
    public var missingGlyphs: [String]
  }
}
