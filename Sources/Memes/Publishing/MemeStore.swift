package import Bytes

/// What the use cases need of a store of memes. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy`` or ``MemeError/storage(_:)``.
package protocol MemeStore: Sendable {
  /// Keeps the meme and its files. When this returns they survive a crash of the machine.
  ///
  /// - Parameter answer: is kept with the meme, both or neither. Where its key has an answer already, nothing is written.
  /// - Throws: ``MemeError/gone`` where the id was deleted.
  func insert(_ meme: NewMeme, answering answer: FirstAnswer?) async throws(MemeError) -> Insertion

  /// What was answered to the first request of this key; `nil` where there was none, or its time is over.
  func firstAnswer(to key: RetryKey, at time: Timestamp) async throws(MemeError) -> FirstAnswer?

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func meme(_ id: MemeID) async throws(MemeError) -> Meme

  /// The digest that the meme of this id was made with, or `nil` where there never was one.
  ///
  /// - Throws: ``MemeError/gone``.
  func draftDigest(of id: MemeID) async throws(MemeError) -> Digest?

  /// Memes, newest first, and where the next page starts.
  func page(after position: ListPosition?, limit: Int) async throws(MemeError) -> MemePage

  /// One of the meme's files.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func picture(_ role: PictureRole, of id: MemeID) async throws(MemeError) -> PictureFile

  /// Hides the meme from everybody and lets go of its files. When this returns it is durable.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func delete(_ id: MemeID, at time: Timestamp) async throws(MemeError)

  /// Writes and rolls back, to show that a write would succeed.
  func checkHealth() async throws(MemeError)
}

extension MemeStore {
  /// Keeps a meme that was sent without a key.
  package func insert(_ meme: NewMeme) async throws(MemeError) -> Insertion {
    try await insert(meme, answering: nil)
  }
}

/// A meme with its files, ready to be kept.
package struct NewMeme: Sendable {
  package let meme: Meme
  /// Of everything that the client sent: tells whether a second request with the same id is the same request.
  package let draftDigest: Digest
  package let original: Bytes
  package let image: Bytes
  package let tableThumbnail: Bytes
  package let gridThumbnail: Bytes

  package init(
    meme: Meme, draftDigest: Digest, original: Bytes, image: Bytes, tableThumbnail: Bytes,
    gridThumbnail: Bytes
  ) {
    (self.meme, self.draftDigest, self.original) = (meme, draftDigest, original)
    (self.image, self.tableThumbnail, self.gridThumbnail) = (image, tableThumbnail, gridThumbnail)
  }

  package func bytes(of role: PictureRole) -> Bytes {
    switch role {
    case .original: original
    case .image: image
    case .tableThumbnail: tableThumbnail
    case .gridThumbnail: gridThumbnail
    }
  }
}

package enum Insertion: Sendable {
  /// The meme is kept.
  case inserted
  /// Another meme has this id, made with this draft digest. Nothing was written.
  case taken(draftDigest: Digest)
  /// The key's first request was answered before. Nothing was written.
  case answered(FirstAnswer)
}

/// A place in the list of memes: just after the meme with this sequence number, which need not exist any more.
package struct ListPosition: Hashable, Sendable {
  package let sequence: Int64

  package init(sequence: Int64) { self.sequence = sequence }
}

/// Some memes in order.
package struct MemePage: Sendable {
  package let memes: [Meme]
  /// Where the next page starts; `nil` at the end.
  package let next: ListPosition?

  package init(memes: [Meme], next: ListPosition?) { (self.memes, self.next) = (memes, next) }
}
