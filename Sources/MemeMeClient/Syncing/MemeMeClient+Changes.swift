extension MemeMeClient {
  /// Returns a page of changes to the signed-in user's memes.
  ///
  /// - Parameters:
  ///   - cursor: The cursor of the previous page; `nil` for all memes.
  ///   - limit: The maximum number of changes per page, from 1 to 100.
  ///   - wait: How long the server waits if there are no changes, in whole seconds up to 55.
  /// - Throws: A problem with the code `cursorExpired` if the cursor is too old. Start again with `nil`.
  public func changes(
    since cursor: Cursor? = nil, limit: Int? = nil, wait: Duration = .zero
  ) async throws -> ChangePage {
    let seconds = wait.components.seconds
    var call = Call(.listChanges)
    call.query = [
      "since": cursor?.text, "limit": limit.map(String.init),
      "wait": seconds > 0 ? String(seconds) : nil,
    ]
    call.patience = .seconds(seconds)
    return try await value(call)
  }
}
