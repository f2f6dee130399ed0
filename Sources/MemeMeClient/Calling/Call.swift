import Bytes
import Foundation

/// A request to the API, without the server's URL and the caller's token.
struct Call: Sendable {
  var operation: Operation
  /// The values of the placeholders in the path, in order.
  var arguments: [String] = []
  /// The query parameters. Parameters with a `nil` value are omitted.
  var query: KeyValuePairs<String, String?> = [:]
  var accept = "application/json"
  /// Header fields in addition to those of every request.
  var headers: [String: String] = [:]
  /// The value of the `If-Match` header field.
  var version: Int?
  var key: IdempotencyKey? {
    didSet { if key != nil { isRepeatable = true } }
  }
  var body: RequestBody = .none
  var progress: UploadProgress.Handler?
  /// The time that the server may stay silent in addition to the usual limit.
  var patience: Duration = .zero

  init(_ operation: Operation, _ arguments: String...) {
    self.operation = operation
    self.arguments = arguments
    isRepeatable = operation.isRepeatable
  }

  /// Whether the call follows a redirect. There is never a second one.
  private var isRedirected = false

  /// Whether the client may repeat the call if the response is lost.
  var isRepeatable: Bool

  /// The path and query relative to the server's URL, percent-encoded.
  var target: String {
    var arguments = arguments[...]
    let path = operation.pattern.split(separator: "/").map { segment in
      segment.hasPrefix("{") ? (arguments.popFirst() ?? "").percentEncoded : String(segment)
    }
    let parameters = query.compactMap { name, value in
      value.map { "\(name)=\($0.percentEncoded)" }
    }
    return "/" + path.joined(separator: "/")
      + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }

  /// The same call for the current username of a person who was renamed; `nil` if the response is not such a redirect.
  ///
  /// Only the username is taken from `Location`, so the call goes to the same server.
  func redirected(by head: AnswerHead) -> Call? {
    guard head.status == 308, !isRedirected,
      let path = head["Location"]?.prefix(while: { $0 != "?" })
    else { return nil }
    let pattern = operation.pattern.split(separator: "/")
    // A prefix of the server's URL may come first.
    let segments = path.split(separator: "/").suffix(pattern.count)
    guard segments.count == pattern.count, !arguments.isEmpty,
      let username = zip(pattern, segments).first(where: { $0.0 == "{username}" })?.1
        .removingPercentEncoding
    else { return nil }
    var call = self
    call.arguments[0] = username
    call.isRedirected = true
    return call
  }
}

/// The body of a request.
enum RequestBody: Sendable {
  case none
  case json(Data)
  /// A file whose content does not change.
  case file(SpooledFile, contentType: String)
}

extension Call {
  /// The same call with a JSON body.
  func with(json value: some Encodable, key: IdempotencyKey? = nil) throws -> Call {
    var call = self
    call.key = key
    call.body = .json(try JSONEncoder.mememe.encode(value))
    return call
  }
}
