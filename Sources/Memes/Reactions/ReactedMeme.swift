/// A meme with a reaction by a user, and the time of the reaction.
package struct ReactedMeme: Sendable, Equatable {
  package let meme: MemeID
  package let at: Timestamp

  package init(_ meme: MemeID, at time: Timestamp) { (self.meme, at) = (meme, time) }
}
