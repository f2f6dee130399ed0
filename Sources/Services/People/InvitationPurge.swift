package import Memes
package import Storage

/// Deletes expired invitations.
package struct InvitationPurge: Purge {
  private let store: InvitationStore
  private let now: @Sendable () -> Timestamp

  package init(store: InvitationStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws -> Int {
    try await store.purgeInvitations(at: now(), .standard)
  }
}
