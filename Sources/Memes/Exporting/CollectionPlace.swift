import Bytes

/// A position in the list of all memes, ordered by creation time.
package struct CollectionPlace: Sendable, Equatable {
  package let createdAt: Timestamp
  package let sequence: Int64

  package init(createdAt: Timestamp, sequence: Int64) {
    (self.createdAt, self.sequence) = (createdAt, sequence)
  }

  /// Before the first meme.
  package static let start = CollectionPlace(
    createdAt: Timestamp(millisecondsSince1970: .min), sequence: .min)
}
