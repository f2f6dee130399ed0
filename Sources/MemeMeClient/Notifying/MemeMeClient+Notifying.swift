extension MemeMeClient {
  /// What others did with what is one's own.
  public func notifications(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> NotificationPage {
    var call = Call(.listNotifications)
    call.query = ["limit": limit.map(String.init), "cursor": cursor?.text]
    return try await value(call)
  }

  /// Says what one has seen.
  ///
  /// - Parameter id: of the newest notification that was; all that there are, for `nil`.
  public func readNotifications(through id: MemeNotification.ID? = nil) async throws {
    var call = Call(.readNotifications)
    try call.send(["through": id])
    try await perform(call)
  }
}
