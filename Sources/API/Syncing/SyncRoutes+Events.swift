import HTTP
import Memes
import Storage

extension SyncRoutes {
  /// Streams changes until the client disconnects.
  func events(_ call: Call) async throws -> Response {
    var query = call.query
    let since = query.text("since") { (text) in text }
    try query.finish()
    guard call.accept.quality(of: "text/event-stream") > 0 else { throw Problem(.notAcceptable) }
    let listener = try await listen(call, in: streams)
    let position = try await place(named: call.request.head.lastEventID ?? since, of: call)
    var response = Response(
      .ok, "text/event-stream", ChangeEvents.beginning(at: position))
    response.headers[.cacheControl] = "no-store"
    // Prevent nginx from buffering the events.
    response.headers[.xAccelBuffering] = "no"
    response.stream = ChangeEvents(memes, for: listener, from: position, json: json) {
      [authentication] in
      // Listening counts as use. A failure to record it does not end the stream.
      if let credential = try await authentication.confirm(call) {
        await authentication.noteUse(of: credential) { _ in }
      }
    }
    return response
  }

  /// Finds the position at which the stream starts. Checks it now, because a stream that has begun
  /// cannot report these errors.
  ///
  /// - Throws: `invalidCursor` if `cursor` is not a cursor; `cursorExpired` if it is too old.
  private func place(named cursor: String?, of call: Call) async throws -> SyncPosition {
    guard let cursor else { return try await memes.newestPosition(of: call.signedIn().person) }
    let position = try SyncCursor.decode(cursor)
    _ = try await memes.changes(of: call.viewer, since: position, limit: 1)
    return position
  }
}

extension RequestHead {
  /// The position of a client that reconnects; `nil` if it has received no event.
  fileprivate var lastEventID: String? {
    headers[.lastEventID].flatMap { $0.text.isEmpty ? nil : $0.text }
  }
}
