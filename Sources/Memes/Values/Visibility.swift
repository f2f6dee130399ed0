/// Who may see a meme beside its author.
package enum Visibility: String, CaseIterable, Sendable {
  case `public`
  /// The author's friends: those who follow them and are followed by them.
  case friends
  /// Nobody.
  case `private`
}
