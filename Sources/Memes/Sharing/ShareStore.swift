/// What ``Sharing`` needs of a store. One call is one transaction; it may throw what ``MemeStore`` may.
package protocol ShareStore: Sendable {
  /// Counts one more share by somebody who may see the meme. When this returns it is durable.
  ///
  /// - Parameters:
  ///   - answer: is kept with the count, both or neither.
  ///   - time: that it is counted at.
  /// - Returns: the answer that the key has already; then nothing was counted.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func countShare(
    of id: MemeID, by viewer: Viewer, on channel: ShareChannel, answering answer: FirstAnswer?,
    at time: Timestamp
  ) async throws(MemeError) -> FirstAnswer?
}
