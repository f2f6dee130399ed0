import Foundation

/// A request as sent over the network.
struct OutgoingRequest: Sendable {
  let method: String
  let url: URL
  var fields: [String: String] = [:]
  var body: RequestBody = .none
  /// The maximum time without network activity.
  let silence: Duration
  /// Whether the request may be repeated if the response is lost.
  let isRepeatable: Bool

  var bodyBytes: Int64 {
    switch body {
    case .none: 0
    case .json(let json): Int64(json.count)
    case .file(let file, _): file.byteCount
    }
  }
}
