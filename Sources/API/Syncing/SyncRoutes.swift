import HTTP
package import Memes
package import Storage

/// Changes of the user's own memes, for clients that store a copy of them.
package struct SyncRoutes: Sendable {
  /// How long a client may let a request wait for changes, in seconds.
  private static let waitingSeconds = 0...55
  /// The maximum size of a page in bytes, not counting its last change. A larger page might never arrive
  /// over a slow network.
  private static let pageBytes = 1 << 20

  let memes: MemeStore
  private let bell: ChangeBell
  let authentication: Authentication
  let streams: LongPollQuota
  private let waits: LongPollQuota
  let json: SyncJSON

  /// - Parameters:
  ///   - bell: reports changes of users' memes, and ended sessions.
  ///   - authentication: checks whether a user is still authorized after waiting.
  ///   - connections: the maximum number of connections of the server.
  package init(
    memes: MemeStore, bell: ChangeBell, authentication: Authentication, context: APIContext,
    connections: Int
  ) {
    (self.memes, self.bell, self.authentication) = (memes, bell, authentication)
    // The streams and long polls of one network together use at most a quarter of all connections.
    let perNetwork = max(1, connections / 8)
    // A full page load opens a stream, and the server notices within a second that the previous one was closed.
    streams = LongPollQuota(perPerson: 16, perNetwork: perNetwork, of: "streams")
    waits = LongPollQuota(perPerson: 8, perNetwork: perNetwork, of: "long polls")
    json = SyncJSON(basePath: context.basePath)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/memes/changes", access: .person, takesTokens: true,
        query: ["since", "limit", "wait"],
        isLongRunning: true, changes),
      Route(.get, "/memes/events", access: .person, takesTokens: true, query: ["since"], events),
    ]
  }

  private func changes(_ call: Call) async throws -> Response {
    let began = ContinuousClock.now
    var query = call.query
    let limit = query.number("limit", PageLimit.init) ?? .standard
    let seconds = query.waiting(Self.waitingSeconds) ?? 0
    let cursor = query.text("since") { (text) in text }
    try query.finish()
    let position = try cursor.map(SyncCursor.decode)
    guard seconds > 0 else {
      return response(
        try await memes.changes(of: call.viewer, since: position, limit: limit.count), call)
    }
    let listener = try await listen(call, in: waits)
    defer { withExtendedLifetime(listener) {} }
    let page = try await nextPage(
      for: listener, since: position, limit: limit, until: began + .seconds(seconds))
    try await authentication.confirm(call)
    return response(page, call)
  }

  /// Subscribes to the memes of the user who sent the request. The caller must read the changes after that, so that
  /// none is missed.
  ///
  /// - Throws: `tooManyRequests` if the user or the network has reached the limit; the errors of `confirm`.
  func listen(_ call: Call, in quota: LongPollQuota) async throws -> ChangeListener {
    let person = try call.signedIn().person
    let lease = try quota.take(for: person, from: call.remoteNetwork)
    let subscription = bell.subscribe(to: person)
    // Check again: the subscription does not report a session that ended before it began.
    try await authentication.confirm(call)
    return ChangeListener(viewer: call.viewer, subscription: subscription, lease: lease)
  }

  /// A page of changes. If there are none yet, waits for them until the deadline.
  ///
  /// - Returns: an empty page if no change came before the deadline, or the subscription ended.
  private func nextPage(
    for listener: ChangeListener, since position: SyncPosition?, limit: PageLimit,
    until deadline: ContinuousClock.Instant
  ) async throws -> SyncPage {
    while true {
      let page = try await memes.changes(
        of: listener.viewer, since: position, limit: limit.count)
      guard page.changes.isEmpty, await listener.subscription.next(until: deadline) == .changed
      else { return page }
    }
  }

  private func response(_ page: SyncPage, _ call: Call) -> Response {
    var writer = JSONWriter(capacity: 1536 * (page.changes.count + 1))
    json.write(page, for: call.viewer, maximumBytes: Self.pageBytes, to: &writer)
    return Response(.ok, "application/json", writer.finish()).with(.cacheControl, "no-store")
  }
}

extension FieldDecoder {
  fileprivate mutating func waiting(_ range: ClosedRange<Int>) -> Int? {
    number("wait") { seconds in
      guard range.contains(seconds) else {
        throw InvalidValue(
          code: "out-of-range",
          message: "Must be a whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return seconds
    }
  }
}
