/// Stores comments for ``Commenting``. Each call is one transaction, which also checks whether the viewer may see the
/// meme and the comment. Changes are durable and counted on return.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``,
/// ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``; also ``MemeError/notFound`` or
/// ``MemeError/gone`` if the viewer cannot see the meme or the comment.
package protocol CommentStore: Sendable {
  /// Stores a comment.
  ///
  /// - Parameters:
  ///   - viewer: the author.
  ///   - answer: stored together with the comment.
  /// - Returns: the stored response, if the key was used before. Then nothing is written.
  /// - Throws: ``MemeError/unauthorized`` if the author's account was deleted.
  func insert(
    _ comment: Comment, by viewer: Principal, answering answer: IdempotencyRecord?
  ) async throws -> IdempotencyRecord?

  /// A page of the comments on a meme.
  func comments(
    on meme: MemeID, for viewer: Principal, _ order: CommentOrder, after position: ListPosition?,
    limit: Int
  ) async throws -> Page<Comment>

  func comment(_ id: CommentID, for viewer: Principal) async throws -> Comment

  /// Replaces the text of a comment. The same text changes nothing.
  ///
  /// - Returns: the current comment.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the viewer is not the author;
  ///   ``MemeError/versionMismatch``.
  func replace(
    _ id: CommentID, with text: CommentText, if condition: VersionCondition, by viewer: Principal,
    at time: Timestamp
  ) async throws -> Comment

  /// Deletes a comment for good.
  ///
  /// - Parameter entry: written in the same transaction if the viewer owns neither the comment nor the meme.
  /// - Throws: ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the viewer may not delete the comment;
  ///   ``MemeError/versionMismatch``.
  func delete(
    _ id: CommentID, if condition: VersionCondition, by viewer: Principal, at time: Timestamp,
    recording entry: AuditEntry?
  ) async throws

  /// A page of all comments by a user, ordered by meme with the newest memes first. Includes comments on memes that the
  /// user can no longer see, but not on purged memes. Does not throw ``MemeError/notFound`` or ``MemeError/gone``.
  func comments(
    by person: UserID, after place: CommentPlace?, limit: Int
  ) async throws -> (comments: [Comment], next: CommentPlace?)
}

/// A position in the list of a user's comments: right after one of them.
package struct CommentPlace: Sendable, Equatable {
  package let meme: Int64
  package let comment: Int64

  package init(meme: Int64, comment: Int64) { (self.meme, self.comment) = (meme, comment) }
}
