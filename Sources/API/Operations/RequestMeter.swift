import HTTP
package import Metrics

/// Counts requests by route, method and status, and measures their duration by route.
///
/// A request costs a few relaxed atomic additions, without locks or allocations. All series are known in advance, so
/// clients cannot create new ones. Safe to use from any thread.
package struct RequestMeter: Sendable {
  /// The label of requests that match no route.
  package static let unmatched = "unmatched"

  /// The status codes that are counted separately. All others are counted together.
  static let statuses = [
    200, 201, 202, 204, 206, 301, 302, 304, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411,
    412, 413, 414, 415, 416, 417, 422, 428, 429, 431, 500, 501, 502, 503, 505, 507,
  ]
  private static let statusLabels = statuses.map(String.init) + ["other", "none"]
  private static let methods = Method.allCases.map(\.rawValue)
  private static let methodLabels = methods + ["other"]
  /// The index in `statusLabels` for each status code.
  private static let statusPlaces: [UInt8] = (0..<600).map { code in
    UInt8(statuses.firstIndex(of: code) ?? statuses.count)
  }

  /// The distinct patterns of the routes. Requests that match no route have one more row.
  private let patterns: [String]
  private let requests: Tally
  private let bodyBytes: Tally
  private let seconds: [Histogram]
  private let unfinished = Counter()

  /// - Parameter routes: all routes of the server.
  init(_ routes: [Route]) {
    var patterns: [String] = []
    for route in routes where !patterns.contains(route.pattern.text) {
      patterns.append(route.pattern.text)
    }
    self.patterns = patterns
    let rows = patterns.count + 1
    requests = Tally(count: rows * Self.methodLabels.count * Self.statusLabels.count)
    bodyBytes = Tally(count: rows)
    seconds = (0..<rows).map { _ in Histogram() }
  }

  /// The mark for requests to this route.
  func mark(_ pattern: RoutePattern) -> RouteID {
    RouteID(
      pattern: pattern.text, index: patterns.firstIndex(of: pattern.text) ?? patterns.count)
  }

  /// Counts a completed request.
  func count(_ record: AccessRecord) {
    let row = min(record.route?.index ?? patterns.count, patterns.count)
    requests.add(at: place(row, Self.place(ofMethod: record.method), Self.place(of: record.status)))
    if record.bodyBytes > 0 { bodyBytes.add(record.bodyBytes, at: row) }
    seconds[row].observe(seconds: record.seconds)
    if record.outcome == .gone { unfinished.add() }
  }

  private func place(_ row: Int, _ method: Int, _ status: Int) -> Int {
    (row * Self.methodLabels.count + method) * Self.statusLabels.count + status
  }

  private static func place(ofMethod text: String) -> Int {
    methods.firstIndex(of: text) ?? methods.count
  }

  private static func place(of status: Status?) -> Int {
    guard let code = status?.code else { return statusLabels.count - 1 }
    return statusPlaces.indices.contains(code) ? Int(statusPlaces[code]) : statuses.count
  }
}

extension RequestMeter {
  /// Writes the metrics. Omits request counts of 0.
  package func write(to text: inout MetricsText) {
    let rows = patterns + [Self.unmatched]
    let total = "mememe_http_requests_total"
    text.describe(total, .counter, "Completed requests, by route, method and status.")
    for (row, pattern) in rows.enumerated() {
      for (method, methodLabel) in Self.methodLabels.enumerated() {
        for (status, statusLabel) in Self.statusLabels.enumerated() {
          let count = requests[place(row, method, status)]
          guard count > 0 else { continue }
          text.sample(
            total, [("route", pattern), ("method", methodLabel), ("status", statusLabel)], count)
        }
      }
    }
    let duration = "mememe_http_request_duration_seconds"
    text.describe(
      duration, .histogram, "Time from the request line to the last byte of the response.")
    for (pattern, histogram) in zip(rows, seconds) {
      text.sample(duration, [("route", pattern)], histogram)
    }
    let bytes = "mememe_http_response_body_bytes_total"
    text.describe(bytes, .counter, "Bytes of response bodies.")
    for (row, pattern) in rows.enumerated() {
      text.sample(bytes, [("route", pattern)], bodyBytes[row])
    }
    text.counter(
      "mememe_http_requests_unfinished_total", "Requests whose client disconnected before the end.",
      unfinished.value)
  }
}
