package import Memes
package import Storage

/// Suspends accounts. The content of a suspended user stays. The user can still browse as an anonymous
/// visitor, and delete the account.
package struct Suspending: Sendable {
  private let store: AccountStatusStore
  private let now: @Sendable () -> Timestamp

  package init(store: AccountStatusStore, now: @escaping @Sendable () -> Timestamp) {
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
