/// A position in the list of a user's comments: right after one of them.
package struct CommentPlace: Sendable, Equatable {
  package let meme: Int64
  package let comment: Int64

  package init(meme: Int64, comment: Int64) { (self.meme, self.comment) = (meme, comment) }
}
