/// Counts shares for ``Sharing``. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol ShareStore: Sendable {
  /// Counts one share of a meme. On return, this is durable.
  ///
  /// - Parameters:
  ///   - answer: stored together with the count.
  ///   - time: the time of the share.
  /// - Returns: the stored response, if the key was used before. Then nothing is counted.
  /// - Throws: ``MemeError/notFound`` or ``MemeError/gone`` if the viewer cannot see the meme.
  func countShare(
    of id: MemeID, by viewer: Principal, on channel: ShareChannel,
    answering answer: IdempotencyRecord?,
    at time: Timestamp
  ) async throws -> IdempotencyRecord?
}
