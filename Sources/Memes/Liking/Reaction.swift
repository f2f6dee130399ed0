/// What a person can put on a meme, and take off it again.
package enum Mark: CaseIterable, Sendable {
  /// For everybody to see.
  case like
  /// For the person alone.
  case favorite
}
