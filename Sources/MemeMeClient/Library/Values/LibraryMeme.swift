public import Foundation

/// All that a library knows of one meme.
public struct LibraryMeme: Sendable, Equatable, Identifiable {
  public let id: Meme.ID
  public let createdAt: Date
  public let state: MemeState
  /// The meme as it is to be, with what waits to be sent; its pictures are those that the server has. `nil` where the server
  /// does not have it yet.
  public let meme: Meme?
  /// What waits to be sent of it: all of a new meme but its picture, or what was changed.
  public let waiting: MemeEdit
  /// Changes that were not taken, newest first.
  public let drafts: [LibraryDraft]
}
