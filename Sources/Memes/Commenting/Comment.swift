/// What somebody wrote about a meme, as who asks for it has it.
package struct Comment: Sendable, Equatable {
  package let id: CommentID
  package let meme: MemeID
  /// Counts edits, from 1.
  package let version: Int
  package let author: Author
  package let text: CommentText
  package let createdAt: Timestamp
  /// `nil` where it is as it was written.
  package let editedAt: Timestamp?
  /// Whether who asked for it may change it: its author alone.
  package let canEdit: Bool
  /// Whether who asked for it may delete it: its author, the meme's, and admins.
  package let canDelete: Bool

  package init(
    id: CommentID, on meme: MemeID, version: Int, author: Author, text: CommentText,
    createdAt: Timestamp, editedAt: Timestamp?, canEdit: Bool, canDelete: Bool
  ) {
    (self.id, self.meme, self.version) = (id, meme, version)
    (self.author, self.text) = (author, text)
    (self.createdAt, self.editedAt) = (createdAt, editedAt)
    (self.canEdit, self.canDelete) = (canEdit, canDelete)
  }
}

/// The words of a comment, as typed: 1 to 1000 characters, of which something is seen.
package struct CommentText: Hashable, Sendable {
  package static let maximumCharacters = 1000
  /// The bound in bytes that is checked before characters are counted.
  package static let maximumBytes = 16_384

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    try text.checkShows()
    self.text = try text.keptAsTyped()
  }

  /// Text that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}

/// In which order comments are listed. The raw value is what clients call it.
package enum CommentOrder: String, CaseIterable, Sendable {
  case newest, oldest
}
