import HTTP
import JSON
import Memes

extension FieldDecoder {
  /// Reads a request body that must be a JSON object.
  ///
  /// - Throws: `malformedRequest` if it is not one.
  init(people body: RequestBody, known: Set<String>) throws(Problem) {
    guard case .bytes(let bytes) = body else { throw Problem(.malformedRequest) }
    try self.init(body: bytes, known: known)
  }

  /// The maximum size of such a body, in bytes: enough for a password and a biography with every character escaped.
  static let maximumPeopleBytes = 64 << 10

  /// Reads a required text field.
  mutating func required<Result>(
    _ name: String, _ parse: (String) throws -> Result
  ) -> Result? {
    if !has(name) || isNull(name) {
      reject(name, code: "missing", "This field is required.")
    }
    return text(name, parse)
  }

  /// Reads a text field that `null` clears; `nil` if the field is missing or invalid.
  mutating func choice<Value: Sendable>(
    _ name: String, _ parse: (String) throws -> Value
  ) -> ProfileChange.Choice<Value>? {
    if isNull(name) { return .clear }
    return text(name, parse).map { .set($0) }
  }

  /// Reads a Boolean field; `nil` if it is missing, `null` or invalid.
  mutating func flag(_ name: String) -> Bool? {
    guard let json = sentJSON(name), json != .null else { return nil }
    guard case .bool(let flag) = json else {
      reject(name, code: "not-a-flag", "Must be true or false.")
      return nil
    }
    return flag
  }
}
