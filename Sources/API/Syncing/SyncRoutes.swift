import HTTP
import Memes
package import Services

/// Changes of the user's own memes, for clients that store a copy of them.
package struct SyncRoutes: Sendable {
  /// How long a client may let a request wait for changes, in seconds.
  private static let waitingSeconds = 0...55
  /// The maximum size of a page in bytes, not counting its last change. A larger page might never arrive
  /// over a slow network.
  private static let pageBytes = 1 << 20

  let syncing: Syncing
  let authentication: Authentication
  let streams: LongPollQuota
  private let waits: LongPollQuota
  let json: SyncJSON

  /// - Parameters:
  ///   - authentication: checks whether a user is still authorized after waiting.
  ///   - basePath: the prefix of every URL in responses, without a trailing slash.
  ///   - connections: the maximum number of connections of the server.
  package init(
    syncing: Syncing, authentication: Authentication, basePath: String, connections: Int
  ) {
    (self.syncing, self.authentication) = (syncing, authentication)
    // The streams and long polls of one network together use at most a quarter of all connections.
    let perNetwork = max(1, connections / 8)
    // A full page load opens a stream, and the server notices within a second that the previous one was closed.
    streams = LongPollQuota(perPerson: 16, perNetwork: perNetwork, of: "streams")
    waits = LongPollQuota(perPerson: 8, perNetwork: perNetwork, of: "long polls")
    json = SyncJSON(basePath: basePath)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/memes/changes", access: .person, query: ["since", "limit", "wait"],
        isLongRunning: true, changes),
      Route(.get, "/memes/events", access: .person, query: ["since"], events),
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
        try await syncing.changes(of: call.viewer, since: position, limit: limit), call)
    }
    let person = try call.signedIn().person
    let lease = try waits.take(for: person, from: call.remoteNetwork)
    defer { withExtendedLifetime(lease) {} }
    let subscription = syncing.subscribe(to: person)
    // Check again: the subscription does not report a session that ended before it began.
    try authentication.confirm(call)
    let page = try await syncing.changes(
      of: call.viewer, since: position, limit: limit, on: subscription,
      until: began + .seconds(seconds))
    try authentication.confirm(call)
    return response(page, call)
  }

  private func response(_ page: SyncPage, _ call: Call) -> Response {
    var writer = JSONWriter(capacity: 1536 * (page.changes.count + 1))
    json.write(page, for: call.viewer, maximumBytes: Self.pageBytes, to: &writer)
    var response = Response(.ok, "application/json", writer.finish())
    response.headers[.cacheControl] = "no-store"
    return response
  }
}

extension FieldDecoder {
  fileprivate mutating func waiting(_ range: ClosedRange<Int>) -> Int? {
    number("wait") { seconds in
      guard range.contains(seconds) else {
        throw InvalidValue(
          code: "out-of-range",
          message: "A whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return seconds
    }
  }
}
