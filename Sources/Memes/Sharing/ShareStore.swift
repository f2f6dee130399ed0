/// What ``Sharing`` needs of a store. One call is one transaction; it may throw what ``MemeStore`` may.
package protocol ShareStore: Sendable {
  /// Counts one more share. When this returns it is durable.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  func countShare(of id: MemeID, on channel: ShareChannel) async throws(MemeError)
}
