/// The audience of a meme, in addition to its author.
package enum Visibility: String, CaseIterable, Sendable {
  case `public`
  /// The author's friends: users who follow the author and whom the author follows.
  case friends
  /// Only the author.
  case `private`

  /// The reason why a meme cannot have this visibility; `nil` if it can.
  ///
  /// - Parameter hasAuthor: a meme without an author must be public, because no one else could see it.
  package func fault(hasAuthor: Bool) -> InvalidValue? {
    self == .public || hasAuthor ? nil : .needsAuthor
  }
}

extension InvalidValue {
  fileprivate static let needsAuthor = InvalidValue(
    code: "needs-account",
    message: "Memes without an account must be public.")
}
