package import Memes
package import Storage

/// Notifies users of what others do: likes of their memes, comments on them, and new followers.
///
/// The store writes a notification in the same transaction as the event, if the user's
/// settings at that time ask for it.
package struct Notifying: Sendable {
  private let store: NotificationStore

  package init(store: NotificationStore) { self.store = store }

  /// A page of the user's notifications, newest first. Activity of users who block the viewer, or whom the viewer
  /// blocks, is neither shown nor counted. Notifications about deleted memes are left out.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the viewer is not signed in, or the account was deleted.
  package func page(
    for viewer: Principal, after position: ListPosition?, limit: PageLimit
  ) async throws -> NotificationPage {
    try await store.notifications(for: viewer, after: position, limit: limit.count)
  }

  /// Marks a notification and all older ones as read. Activity since the client fetched them stays unread. On return,
  /// this is durable. Repeating the call has no effect.
  ///
  /// - Parameter last: the newest notification that the user has seen; `nil` marks all as read.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`through`) if no notification ever had this ID.
  package func read(
    through last: NotificationID?, by person: UserID
  ) async throws {
    var place = Int64.max
    if let last {
      guard let found = last.place else {
        throw MemeError.invalid(field: "through", .unknownNotification)
      }
      place = found
    }
    try await store.markRead(upTo: place, by: person)
  }
}

extension InvalidValue {
  package static let unknownNotification = InvalidValue(
    code: "unknown-notification", message: "There was never a notification of this id.")
}

/// Deletes old notifications for good.
package struct NotificationPurging: Purge {
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
