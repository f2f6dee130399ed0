/// The audience of a meme, in addition to its author.
package enum Visibility: String, CaseIterable, Sendable {
  case `public`
  /// The author's friends: users who follow the author and whom the author follows.
  case friends
  /// Only the author.
  case `private`
}

extension InvalidValue {
  /// A meme without an author must be public, because no one else could see it.
  package static let needsAuthor = InvalidValue(
    code: "needs-account",
    message: "Only memes of people who are signed in can be for some people alone.")
}
