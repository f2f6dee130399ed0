public import Foundation

/// A meme as a row of a table or a cell of a grid shows it, with or without a network.
public struct LibraryItem: Sendable, Hashable, Identifiable {
  public let id: Meme.ID
  /// Where it was made, here or on the server.
  public let createdAt: Date
  public let top: String
  public let bottom: String
  /// What a screen reader says in place of the picture; empty where the server has not said it yet.
  public let altText: String
  public let state: MemeState
  /// The thumbnail's file; `nil` where a placeholder is to stand for it. After an edit it is that of before, until the new one
  /// is there.
  public let thumbnail: Data?
  /// The thumbnail's size in pixels, for the placeholder too; `nil` for what the server has not drawn yet.
  public let thumbnailSize: PixelSize?

  /// A size in pixels.
  public struct PixelSize: Sendable, Hashable {
    public let width: Int
    public let height: Int
  }
}
