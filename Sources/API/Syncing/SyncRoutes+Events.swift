import HTTP
import Memes

extension SyncRoutes {
  /// The same changes as they come, as long as the client listens.
  func events(_ call: Call) async throws -> Response {
    var query = call.query
    let since = query.text("since") { (text) throws(InvalidValue) in text }
    try query.finish()
    guard call.accept.quality(of: "text/event-stream") > 0 else { throw Problem(.notAcceptable) }
    let person = try call.signedIn().person
    let seat = try streams.take(for: person, from: call.remoteNetwork)
    let subscription = syncing.subscribe(to: person)
    // A session that ended before that has told the subscription nothing.
    try authentication.confirm(call)
    let position = try await place(named: call.request.head.lastEventID ?? since, of: call, person)
    var response = Response(
      .ok, "text/event-stream", ChangeEvents.beginning(at: position))
    response.headers[.cacheControl] = "no-store"
    // nginx would gather what is said until it is worth sending.
    response.headers[.xAccelBuffering] = "no"
    response.stream = ChangeEvents(
      syncing, of: call.viewer, from: position, on: subscription, seat: seat, json: json
    ) { [authentication] in
      // To listen is to use the session; where that cannot be noted it goes on.
      if let session = try authentication.confirm(call) {
        try? await authentication.noteUse(of: session)
      }
    }
    return response
  }

  /// - Throws: 400 where that is not a cursor, 410 where it is too old: a stream that has begun could not say so.
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
  /// Where a client was that comes back; `nil` where it has seen no event yet.
  fileprivate var lastEventID: String? {
    headers[.lastEventID].flatMap { $0.text.isEmpty ? nil : $0.text }
  }
}
