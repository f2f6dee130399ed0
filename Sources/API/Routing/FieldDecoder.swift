import Bytes
import HTTP
import JSON
import Memes

/// Reads the named values that a client sent, and collects everything that is wrong with them.
///
/// A caller reads all of its fields, then calls ``finish()``: a client hears of every bad field at once.
struct FieldReader {
  enum Value {
    case text(String)
    case bytes(Bytes)
    case json(JSON)
    case tooLarge
  }

  /// What stands before every name when a field is invalid.
  let path: String
  private var values: [String: Value] = [:]
  private var invalid: [InvalidField] = []
  /// Whether control characters in texts become spaces. If not, they are refused.
  var replacesControls = false
  /// The fields that had some.
  private(set) var replaced: [String] = []

  /// - Parameters:
  ///   - values: what was sent. A name that comes twice is invalid.
  ///   - path: what the names belong to; nothing where they stand alone.
  init(_ values: [(String, Value)], path: String = "") {
    self.path = path
    for (name, value) in values where self.values.updateValue(value, forKey: name) != nil {
      reject(name, code: "duplicate", "This field may be sent only once.")
    }
  }

  /// Whether the field was sent; as JSON's `null` too.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Whether the field was sent as JSON's `null`.
  func isNull(_ name: String) -> Bool { sentJSON(name) == .null }

  /// The field as it was sent, where that was as text.
  func sentText(_ name: String) -> String? {
    switch values[name] {
    case .text(let text), .json(.text(let text)): text
    case .bytes(let bytes): bytes.utf8Text
    default: nil
    }
  }

  /// The field as it was sent, where that was in JSON.
  func sentJSON(_ name: String) -> JSON? {
    if case .json(let json) = values[name] { json } else { nil }
  }

  /// Reads a text that `parse` takes.
  ///
  /// - Returns: `nil` where the field was not sent, is `null`, or cannot be taken.
  mutating func text<Result>(
    _ name: String, _ parse: (String) throws(InvalidValue) -> Result
  ) -> Result? { parsed(name, text(name), parse) }

  /// Reads a number as `parse` takes it: its text in a form, and in JSON that of a number, whole ones without a point.
  private mutating func numeral<Result>(
    _ name: String, _ parse: (String) throws(InvalidValue) -> Result
  ) -> Result? {
    switch values[name] {
    case .json(.number(let number)): return parsed(name, Self.brief(number), parse)
    case .json(let json) where json != .null:
      reject(name, code: "not-a-number", "A number is needed.")
      return nil
    default: return parsed(name, text(name), parse)
    }
  }

  private mutating func parsed<Result>(
    _ name: String, _ text: String?, _ parse: (String) throws(InvalidValue) -> Result
  ) -> Result? {
    guard let text else { return nil }
    do throws(InvalidValue) { return try parse(text) } catch {
      if replacesControls, error == .controlCharacter, let result = try? parse(text.withoutControls)
      {
        replaced.append(path + name)
        return result
      }
      reject(name, code: error.code, error.message)
      return nil
    }
  }

  /// Reads a whole number that `parse` takes.
  mutating func number<Result>(
    _ name: String, _ parse: (Int) throws(InvalidValue) -> Result
  ) -> Result? {
    numeral(name) { text throws(InvalidValue) in
      guard let number = Int(text), text.utf8.first != UInt8(ascii: "+") else {
        throw InvalidValue(code: "not-a-number", message: "A whole number is needed.")
      }
      return try parse(number)
    }
  }

  /// Reads a number as JSON writes it (RFC 8259 §6), within a range.
  mutating func fraction(_ name: String, in range: ClosedRange<Double>) -> Double? {
    numeral(name) { text throws(InvalidValue) in
      // What else Swift reads as a number: words, hexadecimal.
      let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      guard isDecimal, text.utf8.first != UInt8(ascii: "+"), let number = Double(text) else {
        throw InvalidValue(code: "not-a-number", message: "A number is needed, like 0.2.")
      }
      guard range.contains(number) else {
        throw InvalidValue(
          code: "out-of-range",
          message:
            "A number from \(Self.brief(range.lowerBound)) to \(Self.brief(range.upperBound)).")
      }
      // There is no -0 for whoever reads it again.
      return number == 0 ? 0 : number
    }
  }

  /// 0 and not 0.0.
  private static func brief(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? number.description
  }

  /// Reads one of a few words.
  mutating func word<Result: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Result.Type
  ) -> Result? where Result.RawValue == String { word(name, among: Array(Result.allCases)) }

  /// Reads one of a few words, of which not all may be taken here.
  mutating func word<Result: RawRepresentable>(
    _ name: String, among words: [Result]
  ) -> Result? where Result.RawValue == String {
    text(name) { text throws(InvalidValue) in
      guard let result = words.first(where: { $0.rawValue == text }) else {
        let words = words.map(\.rawValue).joined(separator: ", ")
        throw InvalidValue(code: "not-allowed", message: "One of: \(words).")
      }
      return result
    }
  }

  /// Reads the bytes of a field that must be there and must not be empty.
  mutating func file(_ name: String) -> Bytes? {
    switch values[name] {
    case .bytes(let bytes) where !bytes.isEmpty: return bytes
    case .bytes: reject(name, code: "empty", "The file is empty.")
    case nil: rejectMissing(name)
    case .json: reject(name, code: "not-a-file", "A file is sent as multipart/form-data.")
    case .text, .tooLarge: break
    }
    return nil
  }

  /// Refuses each of these fields that was not sent, or is `null`.
  mutating func require(_ names: [String]) {
    for name in names where !has(name) || isNull(name) { rejectMissing(name) }
  }

  private mutating func rejectMissing(_ name: String) {
    reject(name, code: "missing", "This field is required.")
  }

  mutating func rejectUnknown(_ name: String) {
    // Whoever sent a long one knows it by its beginning.
    reject(
      String(name.unicodeScalars.prefix(64)), code: "unknown-field",
      "There is nothing of this name here.")
  }

  mutating func reject(_ name: String, code: String, _ message: String) {
    invalid.append(InvalidField(path + name, code: code, message: message))
  }

  /// Takes over what another reader has found to be invalid.
  mutating func reject(_ fields: FieldReader) {
    invalid += fields.invalid
    replaced += fields.replaced
  }

  /// - Throws: 422 with every field that is invalid.
  func finish() throws(Problem) {
    guard invalid.isEmpty else {
      throw Problem(.invalidInput, Self.summary(of: invalid), fields: invalid)
    }
  }

  private mutating func text(_ name: String) -> String? {
    switch values[name] {
    case nil: return nil
    case .text(let text), .json(.text(let text)): return text
    case .json(.null): return nil
    case .json:
      reject(name, code: "not-a-text", "A text is needed.")
      return nil
    case .tooLarge:
      reject(name, code: "too-long", "This text is too long.")
      return nil
    case .bytes(let bytes):
      guard let text = bytes.utf8Text else {
        reject(name, code: "invalid-utf8", "This text is not valid UTF-8.")
        return nil
      }
      return text
    }
  }

  /// One sentence that names the fields, for a person who reads only `detail`.
  private static func summary(of invalid: [InvalidField]) -> String {
    let told = invalid.prefix(20).map { "\($0.field): \($0.message)" }.joined(separator: " ")
    return invalid.count > 20 ? "\(told) And more." : told
  }
}
