/// Who may see a meme beside its author.
package enum Visibility: String, CaseIterable, Sendable {
  case `public`
  /// The author's friends: those who follow them and are followed by them.
  case friends
  /// Nobody.
  case `private`
}

extension InvalidValue {
  /// What is nobody's would be seen by nobody.
  package static let needsAuthor = InvalidValue(
    code: "needs-account",
    message: "Only memes of people who are signed in can be for some people alone.")
}
