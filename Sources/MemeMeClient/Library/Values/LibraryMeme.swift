public import Foundation

/// Everything that a library knows about one meme.
public struct LibraryMeme: Sendable, Equatable, Identifiable {
  public let id: Meme.ID
  public let createdAt: Date
  public let state: MemeState
  /// The meme with waiting changes applied, and with the server's images. `nil` if the server does not have it yet.
  public let meme: Meme?
  /// The waiting changes: all fields of a new meme except its picture, or the combined edits.
  public let waiting: MemeEdit
  /// The drafts of the meme, newest first.
  public let drafts: [LibraryDraft]
}
