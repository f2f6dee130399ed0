import Foundation

/// A call that is to be made: everything about a request but where the server is and who asks.
struct Call: Sendable {
  var operation: Operation
  /// What stands in the place of the names in braces, in their order.
  var arguments: [String] = []
  /// Parameters of the address. Those that are `nil` are left out.
  var query: KeyValuePairs<String, String?> = [:]
  var accept = "application/json"
  /// Fields beside those that every request has.
  var headers: [String: String] = [:]
  /// Goes into `If-Match`.
  var version: Int?
  var key: IdempotencyKey? {
    didSet { if key != nil { isRepeatable = true } }
  }
  var body: RequestBody = .none
  var progress: UploadProgress.Handler?
  /// How much longer than usual the server may be silent.
  var patience: Duration = .zero

  init(_ operation: Operation, _ arguments: String...) {
    self.operation = operation
    self.arguments = arguments
    isRepeatable = operation.isRepeatable
  }

  /// Whether it may be made again where its answer is lost.
  var isRepeatable: Bool

  /// The address below the server's: path and query, percent-encoded.
  var target: String {
    var arguments = arguments[...]
    let path = operation.pattern.split(separator: "/").map { segment in
      segment.hasPrefix("{") ? Self.encoded(arguments.popFirst() ?? "") : String(segment)
    }
    let parameters = query.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
    return "/" + path.joined(separator: "/")
      + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }

  /// All but what RFC 3986 §2.3 calls unreserved is encoded.
  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// What a request carries.
enum RequestBody: Sendable {
  case none
  case json(Data)
  /// A file that does not change while it is there.
  case file(SpooledFile, contentType: String)
}

extension Call {
  /// Gives the call a body of JSON.
  mutating func send(_ value: some Encodable) throws {
    body = .json(try JSONEncoder.mememe.encode(value))
  }
}
