public import Foundation

/// A meme as displayed in a table row or grid cell, with or without a network.
public struct LibraryItem: Sendable, Hashable, Identifiable {
  public let id: Meme.ID
  /// The time when the meme was created, on this device or on the server.
  public let createdAt: Date
  public let top: String
  public let bottom: String
  /// The text alternative for screen readers; empty until the server provides it.
  public let altText: String
  public let state: MemeState
  /// The thumbnail's file; `nil` if there is none yet. Show a placeholder then. After an edit, this is the previous
  /// thumbnail until the new one is downloaded.
  public let thumbnail: Data?
  /// The size of the thumbnail, also for placeholders; `nil` if the server has not rendered it yet.
  public let thumbnailSize: PixelSize?

  /// A size in pixels.
  public struct PixelSize: Sendable, Hashable {
    public let width: Int
    public let height: Int
  }
}
