/// Suspends accounts. The content of a suspended user stays. The user can still browse as an anonymous
/// visitor, and delete the account.
package struct Suspending: Sendable {
  private let store: any SuspensionStore
  private let now: @Sendable () -> Timestamp

  package init(store: any SuspensionStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// Suspends an account. On return, the suspension is durable and applies to all further requests. Has no effect if
  /// the account is already suspended.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` if an admin tries to suspend themselves.
  package func suspend(
    _ username: Username, because reason: SuspensionReason?, by authority: Authority
  ) async throws {
    let entry = AuditEntry(
      at: now(), authority, .suspend, username.text, AuditDetails(reason: reason))
    try await store.suspend(username, recording: entry)
  }

  /// Lifts a suspension. On return, this is durable. Has no effect if the account is not suspended.
  ///
  /// - Throws: ``MemeError/notFound``.
  package func unsuspend(
    _ username: Username, by authority: Authority
  ) async throws {
    try await store.unsuspend(
      username, recording: AuditEntry(at: now(), authority, .unsuspend, username.text))
  }
}

/// Stores suspensions for ``Suspending``. Each call is one transaction, and writes the entry only if something changes.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol SuspensionStore: Sendable {
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` if the actor is the user.
  func suspend(_ username: Username, recording entry: AuditEntry) async throws

  /// - Throws: ``MemeError/notFound``.
  func unsuspend(_ username: Username, recording entry: AuditEntry) async throws
}

/// The reason for a suspension, for admins to read. Up to 1000 characters.
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
