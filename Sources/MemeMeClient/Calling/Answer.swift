import Foundation

/// The beginning of an answer: its status and its fields.
struct AnswerHead: Sendable {
  let status: Int
  private let fields: [String: String]

  /// - Parameter fields: their names may be in any case; one that comes twice has both values, as RFC 9110 §5.3 puts them
  ///   together.
  init(status: Int, fields: some Sequence<(name: String, value: String)>) {
    self.status = status
    self.fields = Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { "\($0), \($1)" }
  }

  subscript(_ name: String) -> String? { fields[name.lowercased()] }

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The seconds of `Retry-After`; the server writes no dates there.
  var retryAfter: Duration? {
    guard let text = self["Retry-After"], let seconds = Int(text), seconds >= 0 else { return nil }
    return .seconds(min(seconds, 86_400))
  }
}

/// A whole answer.
struct Answer: Sendable {
  let head: AnswerHead
  let body: Data

  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    do { return try JSONDecoder.mememe.decode(type, from: body) } catch {
      throw failure
    }
  }

  /// Why it is none of those that a caller wants.
  var failure: MemeMeError {
    if !head.isSuccess, let problem = Problem(self) { return .problem(problem) }
    return .unexpectedAnswer(
      status: head.status, requestID: head["X-Request-Id"], retryAfter: head.retryAfter)
  }
}
