import HTTP
import Memes
import Services

extension SyncRoutes {
  /// Streams changes until the client disconnects.
  func events(_ call: Call) async throws -> Response {
    var query = call.query
    let since = query.text("since") { (text) in text }
    try query.finish()
    guard call.accept.quality(of: "text/event-stream") > 0 else { throw Problem(.notAcceptable) }
    let person = try call.signedIn().person
    let lease = try streams.take(for: person, from: call.remoteNetwork)
    let subscription = syncing.subscribe(to: person)
    // Check again: the subscription does not report a session that ended before it began.
    try authentication.confirm(call)
    let position = try await place(named: call.request.head.lastEventID ?? since, of: call, person)
    var response = Response(
      .ok, "text/event-stream", ChangeEvents.beginning(at: position))
    response.headers[.cacheControl] = "no-store"
    // Prevent nginx from buffering the events.
    response.headers[.xAccelBuffering] = "no"
    response.stream = ChangeEvents(
      syncing, of: call.viewer, from: position, on: subscription, lease: lease, json: json
    ) { [authentication] in
      // Listening counts as use of the session. A failure to record it does not end the stream.
      if let session = try authentication.confirm(call) {
        try? await authentication.noteUse(of: session)
      }
    }
    return response
  }

  /// Finds the position at which the stream starts. Checks it now, because a stream that has begun
  /// cannot report these errors.
  ///
  /// - Throws: `invalidCursor` if `cursor` is not a cursor; `cursorExpired` if it is too old.
  private func place(
    named cursor: String?, of call: Call, _ person: UserID
  ) async throws -> SyncPosition {
    guard let cursor else { return try await syncing.newestPosition(of: person) }
    let position = try SyncCursor.decode(cursor)
    _ = try await syncing.changes(of: call.viewer, since: position, limit: try PageLimit(1))
    return position
  }
}

extension RequestHead {
  /// The position of a client that reconnects; `nil` if it has received no event.
  fileprivate var lastEventID: String? {
    headers[.lastEventID].flatMap { $0.text.isEmpty ? nil : $0.text }
  }
}
