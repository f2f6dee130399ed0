/// What ``Commenting`` needs of a store. One call is one transaction, and decides in it who sees the meme and the comment.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``; and ``MemeError/notFound`` or ``MemeError/gone`` where there is no such meme, or comment, for who
/// asks. When those that write return, what they did is durable, and what is counted is true.
package protocol CommentStore: Sendable {
  /// Keeps a comment.
  ///
  /// - Parameters:
  ///   - viewer: its author.
  ///   - answer: is kept with the comment, both or neither.
  /// - Returns: the answer that the key has already; then nothing was written.
  /// - Throws: ``MemeError/unauthorized`` where the author left meanwhile.
  func insert(
    _ comment: Comment, by viewer: Viewer, answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer?

  /// A page of a meme's comments.
  func comments(
    on meme: MemeID, for viewer: Viewer, _ order: CommentOrder, after position: ListPosition?,
    limit: Int
  ) async throws(MemeError) -> Page<Comment>

  func comment(_ id: CommentID, for viewer: Viewer) async throws(MemeError) -> Comment

  /// Gives a comment another text. Where that is what it has, nothing changes.
  ///
  /// - Returns: the comment as it is now.
  /// - Throws: ``MemeError/unauthorized``, ``MemeError/forbidden`` where the viewer did not write it; ``MemeError/versionMismatch``.
  func replace(
    _ id: CommentID, with text: CommentText, if condition: VersionCondition, by viewer: Viewer,
    at time: Timestamp
  ) async throws(MemeError) -> Comment

  /// Removes a comment for good.
  ///
  /// - Parameter entry: is written in the same transaction, where neither the comment nor the meme is the viewer's.
  /// - Throws: ``MemeError/unauthorized``, ``MemeError/forbidden`` where the viewer may not; ``MemeError/versionMismatch``.
  func delete(
    _ id: CommentID, if condition: VersionCondition, by viewer: Viewer, at time: Timestamp,
    recording entry: AuditEntry?
  ) async throws(MemeError)

  /// A page of everything that a person wrote, those about the newest memes first, whether they still see it or not; what was
  /// about memes that are purged is left out. It throws nothing but what the store has to say.
  func comments(
    by person: UserID, after place: CommentPlace?, limit: Int
  ) async throws(MemeError) -> (comments: [Comment], next: CommentPlace?)
}

/// A place in the list of a person's comments: just after one of them.
package struct CommentPlace: Sendable, Equatable {
  package let meme: Int64
  package let comment: Int64

  package init(meme: Int64, comment: Int64) { (self.meme, self.comment) = (meme, comment) }
}
