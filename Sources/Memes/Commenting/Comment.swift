/// A comment on a meme, as the viewer sees it.
package struct Comment: Sendable, Equatable {
  package let id: CommentID
  package let meme: MemeID
  /// The version. It starts at 1 and grows with every edit.
  package let version: Int
  package let author: Author
  package let text: CommentText
  package let createdAt: Timestamp
  /// `nil` if the comment was never edited.
  package let editedAt: Timestamp?
  /// Whether the viewer may edit the comment: only its author may.
  package let canEdit: Bool
  /// Whether the viewer may delete the comment: its author, the author of the meme and admins may.
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

/// The text of a comment, as typed: 1 to 1000 characters, not all of them invisible.
package struct CommentText: Hashable, Sendable {
  package static let maximumCharacters = 1000
  /// The limit in bytes. It is checked before the characters are counted.
  package static let maximumBytes = 16_384

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    try text.checkShows()
    self.text = try text.keptAsTyped()
  }

  /// Creates a text that was valid when it was stored.
  package init(stored text: String) { self.text = text }
}

/// The order of a list of comments. The raw value is its name in the API.
package enum CommentOrder: String, CaseIterable, Sendable {
  case newest, oldest
}
