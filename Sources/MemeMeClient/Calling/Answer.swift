import Foundation

/// The head of a response: its status and header fields.
struct AnswerHead: Sendable {
  let status: Int
  private let fields: [String: String]

  /// - Parameter fields: Names in any case. The values of a repeated field are joined with commas (RFC 9110 §5.3).
  init(status: Int, fields: some Sequence<(name: String, value: String)>) {
    self.status = status
    self.fields = Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
  }

  subscript(_ name: String) -> String? { fields[name.lowercased()] }

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The delay in `Retry-After`, at most one day. The server sends seconds only, never a date.
  var retryAfter: Duration? {
    guard let text = self["Retry-After"], let seconds = Int(text), seconds >= 0 else { return nil }
    return .seconds(min(seconds, 86_400))
  }
}

/// A complete response.
struct Answer: Sendable {
  let head: AnswerHead
  let body: Data

  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    do { return try JSONDecoder.mememe.decode(type, from: body) } catch {
      throw failure
    }
  }

  /// The error for an unexpected response.
  var failure: MemeMeError {
    if !head.isSuccess, let problem = Problem(self) { return .problem(problem) }
    return .unexpectedAnswer(
      status: head.status, requestID: head["X-Request-Id"], retryAfter: head.retryAfter)
  }
}
