package import Memes
package import Storage

/// Deletes old notifications for good.
package struct NotificationPurge: Purge {
  /// How long notifications are kept after their last activity.
  package static let days: Int64 = 90

  private let store: NotificationStore
  private let now: @Sendable () -> Timestamp

  package init(store: NotificationStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws -> Int {
    let horizon = now().millisecondsSince1970 - Self.days * 86_400_000
    return try await store.purgeNotifications(
      upTo: Timestamp(millisecondsSince1970: horizon), at: now(), .standard)
  }
}
