extension MemeMeClient {
  /// Returns the notifications of the signed-in user, newest first.
  public func notifications(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> NotificationPage {
    var call = Call(.listNotifications)
    call.query = ["limit": limit.map(String.init), "cursor": cursor?.text]
    return try await value(call)
  }

  /// Marks notifications as read.
  ///
  /// - Parameter id: The newest notification to mark. If `nil`, all notifications are marked.
  public func readNotifications(through id: MemeNotification.ID? = nil) async throws {
    try await perform(Call(.readNotifications).with(json: ["through": id]))
  }
}
