import HTTP
import JSON
import Memes

extension FieldReader {
  /// Reads the body of a call about people: a JSON object.
  ///
  /// - Throws: 400 where it is none.
  init(people body: RequestBody, known: Set<String>) throws(Problem) {
    guard case .bytes(let bytes) = body else { throw Problem(.malformedRequest) }
    try self.init(body: bytes, known: known)
  }

  /// How many bytes such a body may have: a password and a biography of which every character is escaped fit.
  static let maximumPeopleBytes = 64 << 10

  /// Reads a text that has to be there.
  mutating func required<Result>(
    _ name: String, _ parse: (String) throws(InvalidValue) -> Result
  ) -> Result? {
    if !has(name) || isNull(name) {
      reject(name, code: "missing", "This field is required.")
    }
    return text(name, parse)
  }

  /// Reads a text that `null` takes away; `nil` where it was not sent.
  mutating func choice<Value: Sendable>(
    _ name: String, _ parse: (String) throws(InvalidValue) -> Value
  ) -> ProfileChange.Choice<Value>? {
    if isNull(name) { return .clear }
    return text(name, parse).map { .set($0) }
  }

  /// Reads `true` or `false`.
  mutating func flag(_ name: String) -> Bool? {
    guard let json = sentJSON(name), json != .null else { return nil }
    guard case .bool(let flag) = json else {
      reject(name, code: "not-a-flag", "true or false is needed.")
      return nil
    }
    return flag
  }
}
