/// Keeps people from doing anything for a while. What they made stays, and so do they: they may look on as anybody, and leave.
package struct Suspending: Sendable {
  private let store: any SuspensionStore
  private let now: @Sendable () -> Timestamp

  package init(store: any SuspensionStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// Suspends somebody. When this returns, it holds for every request that comes, also after a crash.
  ///
  /// Twice is the same as once.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` where somebody would suspend themselves.
  package func suspend(
    _ username: Username, because reason: SuspensionReason?, by authority: Authority
  ) async throws(MemeError) {
    let entry = AuditEntry(
      at: now(), authority, .suspend, username.text, AuditDetails(reason: reason))
    try await store.suspend(username, recording: entry)
  }

  /// Takes a suspension back; none is none. When this returns, that is durable.
  ///
  /// - Throws: ``MemeError/notFound``.
  package func unsuspend(
    _ username: Username, by authority: Authority
  ) async throws(MemeError) {
    try await store.unsuspend(
      username, recording: AuditEntry(at: now(), authority, .unsuspend, username.text))
  }
}

/// What ``Suspending`` needs of a store. One call is one transaction; the entry is written where something changes.
package protocol SuspensionStore: Sendable {
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` where the actor is the person.
  func suspend(_ username: Username, recording entry: AuditEntry) async throws(MemeError)

  /// - Throws: ``MemeError/notFound``.
  func unsuspend(_ username: Username, recording entry: AuditEntry) async throws(MemeError)
}

/// Why somebody was suspended, for admins to read: up to 1000 characters.
package struct SuspensionReason: Hashable, Sendable {
  package static let maximumCharacters = 1000

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    guard !text.utf8.contains(0) else { throw .nul }
    guard text.utf8.count <= 16 * Self.maximumCharacters, text.count <= Self.maximumCharacters
    else { throw .tooLong(limit: Self.maximumCharacters) }
    self.text = text
  }
}
