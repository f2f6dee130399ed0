import Foundation

/// A request as it goes over the wire.
struct OutgoingRequest: Sendable {
  let method: String
  let url: URL
  var fields: [String: String] = [:]
  var body: RequestBody = .none
  /// How long the server, or the way to it, may be silent.
  let silence: Duration
  /// Whether it may be made again where its answer is lost.
  let isRepeatable: Bool

  var bodyBytes: Int64 {
    switch body {
    case .none: 0
    case .json(let json): Int64(json.count)
    case .file(let file, _): file.byteCount
    }
  }
}
