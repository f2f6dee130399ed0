/// Tells people what others did with what is theirs.
///
/// What is told is kept in the transaction of what happened, by the store: likes and comments of others on a person's memes, and
/// others who follow them, where the person's settings at that time want it.
package struct Notifying: Sendable {
  private let store: any NotificationStore

  package init(store: any NotificationStore) { self.store = store }

  /// A page of what the person is told, the newest first. What people did who are apart from them is neither shown nor counted,
  /// nor what is about memes in the trash.
  ///
  /// - Throws: ``MemeError/unauthorized`` where nobody is signed in, or the person left meanwhile.
  package func page(
    for viewer: Viewer, after position: ListPosition?, limit: PageLimit
  ) async throws(MemeError) -> NotificationPage {
    try await store.notifications(for: viewer, after: position, limit: limit.count)
  }

  /// Notes that the person has seen this and all that is older. What came or grew since they fetched it stays unread. When this
  /// returns it is durable; twice is the same as once.
  ///
  /// - Parameter last: the newest that they saw; `nil` for all there is.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`through`) where it is no id that was handed out.
  package func read(
    through last: NotificationID?, by person: UserID
  ) async throws(MemeError) {
    var place = Int64.max
    if let last {
      guard let found = last.place else { throw .invalid(field: "through", .unknownNotification) }
      place = found
    }
    try await store.markRead(upTo: place, by: person)
  }
}

extension InvalidValue {
  package static let unknownNotification = InvalidValue(
    code: "unknown-notification", message: "There was never a notification of this id.")
}

/// Removes notifications for good that nobody looks at any more.
package struct NotificationPurging: Purge {
  /// For so long they are kept.
  package static let days: Int64 = 90

  private let store: any NotificationStore
  private let now: @Sendable () -> Timestamp

  package init(store: any NotificationStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  package func purgeBatch() async throws(MemeError) -> Int {
    let horizon = now().millisecondsSince1970 - Self.days * 86_400_000
    return try await store.purgeNotifications(
      upTo: Timestamp(millisecondsSince1970: horizon), at: now(), .standard)
  }
}

/// What ``Notifying`` needs of a store. One call is one transaction.
///
/// Every call may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package protocol NotificationStore: Sendable {
  /// - Throws: ``MemeError/unauthorized`` where there is no such person.
  func notifications(
    for viewer: Viewer, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> NotificationPage

  /// When this returns it is durable.
  func markRead(upTo place: Int64, by person: UserID) async throws(MemeError)

  /// Removes some of what happened last at `horizon` or before.
  ///
  /// - Parameter time: by which it is decided what need not be remembered any more.
  /// - Returns: how many were removed; 0 where there are no more.
  func purgeNotifications(
    upTo horizon: Timestamp, at time: Timestamp, _ batch: PurgeBatch
  ) async throws(MemeError) -> Int
}
