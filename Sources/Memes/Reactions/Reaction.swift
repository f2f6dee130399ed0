/// A reaction that a user can add to a meme and remove again.
package enum Reaction: CaseIterable, Sendable {
  /// Visible to everyone.
  case like
  /// Visible only to the user.
  case favorite
}
