import HTTP
package import Memes

/// Changes of one's own memes, for clients that hold a copy of them.
package struct SyncRoutes: Sendable {
  /// For how long an answer may be waited for.
  private static let waitingSeconds = 0...55
  /// A page is no longer than that and one change, so that it gets through a bad network.
  private static let pageBytes = 1 << 20

  let syncing: Syncing
  let authentication: Authentication
  let streams: WaitingSeats
  private let waits: WaitingSeats
  let json: SyncJSON

  /// - Parameters:
  ///   - authentication: tells whether who waited may still ask.
  ///   - basePath: what every address in an answer begins with; no slash at its end.
  ///   - connections: that there may be.
  package init(
    syncing: Syncing, authentication: Authentication, basePath: String, connections: Int
  ) {
    (self.syncing, self.authentication) = (syncing, authentication)
    // Streams and polls of a network together leave three quarters to others.
    let perNetwork = max(1, connections / 8)
    streams = WaitingSeats(perPerson: 8, perNetwork: perNetwork, of: "streams")
    waits = WaitingSeats(perPerson: 8, perNetwork: perNetwork, of: "long polls")
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
    let cursor = query.text("since") { (text) throws(InvalidValue) in text }
    try query.finish()
    let position = try cursor.map(SyncCursor.decode)
    guard seconds > 0 else {
      return response(
        try await syncing.changes(of: call.viewer, since: position, limit: limit), call)
    }
    let person = try call.signedIn().person
    let seat = try waits.take(for: person, from: call.remoteNetwork)
    defer { withExtendedLifetime(seat) {} }
    let subscription = syncing.subscribe(to: person)
    // A session that ended before that has told the subscription nothing.
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

extension FieldReader {
  fileprivate mutating func waiting(_ range: ClosedRange<Int>) -> Int? {
    number("wait") { seconds throws(InvalidValue) in
      guard range.contains(seconds) else {
        throw InvalidValue(
          code: "out-of-range",
          message: "A whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return seconds
    }
  }
}
