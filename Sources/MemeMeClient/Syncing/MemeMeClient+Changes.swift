extension MemeMeClient {
  /// What changed of the memes of whoever is signed in.
  ///
  /// - Parameters:
  ///   - cursor: of the page before; `nil` for all that there is.
  ///   - limit: how many changes a page has at most, 1 to 100.
  ///   - wait: how long the server waits for a change where there is none, in whole seconds up to 55.
  /// - Throws: a problem: `cursorExpired` where the cursor is too old; then one starts with `nil`.
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
