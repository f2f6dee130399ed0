import Bytes
import HTTP
import JSON
import Memes

/// Reads the named values of a request and collects all errors in them.
///
/// A caller reads all of its fields and then calls ``finish()``, so that the client receives all errors at once.
struct FieldDecoder {
  enum Value {
    case text(String)
    case bytes(Bytes)
    case json(JSON)
    case tooLarge
  }

  /// The prefix of every field name in errors.
  let path: String
  private var values: [String: Value] = [:]
  private var invalid: [InvalidField] = []
  /// Whether control characters in text become spaces. Otherwise they are rejected.
  var replacesControls = false
  /// The fields in which control characters were replaced.
  private(set) var replaced: [String] = []

  /// - Parameters:
  ///   - values: the fields of the request. A field with a duplicate name is invalid.
  ///   - path: the prefix of the field names in errors; empty for top-level fields.
  init(_ values: [(String, Value)], path: String = "") {
    self.path = path
    for (name, value) in values where self.values.updateValue(value, forKey: name) != nil {
      rejectRepeated(name)
    }
  }

  /// Whether the request contains the field, including as `null`.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Whether the field is JSON `null`.
  func isNull(_ name: String) -> Bool { sentJSON(name) == .null }

  /// The field as sent; `nil` if it is not text.
  func sentText(_ name: String) -> String? {
    switch values[name] {
    case .text(let text), .json(.text(let text)): text
    case .bytes(let bytes): bytes.utf8Text
    default: nil
    }
  }

  /// The field as sent; `nil` if it is not JSON.
  func sentJSON(_ name: String) -> JSON? {
    if case .json(let json) = values[name] { json } else { nil }
  }

  /// Reads a text field with `parse`.
  ///
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  mutating func text<Result>(
    _ name: String, _ parse: (String) throws -> Result
  ) -> Result? { parsed(name, text(name), parse) }

  /// Reads a number field with `parse`: text in a form, and a number in JSON. Whole JSON numbers have no decimal point
  /// in the text that `parse` receives.
  private mutating func numeral<Result>(
    _ name: String, _ parse: (String) throws -> Result
  ) -> Result? {
    switch values[name] {
    case .json(.number(let number)): return parsed(name, Self.brief(number), parse)
    case .json(let json) where json != .null:
      reject(name, code: "not-a-number", "Must be a number.")
      return nil
    default: return parsed(name, text(name), parse)
    }
  }

  private mutating func parsed<Result>(
    _ name: String, _ text: String?, _ parse: (String) throws -> Result
  ) -> Result? {
    guard let text else { return nil }
    do { return try parse(text) } catch {
      // A parser throws nothing else.
      let error = error as? InvalidValue ?? InvalidValue(code: "invalid", message: "\(error)")
      if replacesControls, error == .controlCharacter, let result = try? parse(text.withoutControls)
      {
        replaced.append(path + name)
        return result
      }
      reject(name, code: error.code, error.message)
      return nil
    }
  }

  /// Reads a whole number with `parse`.
  mutating func number<Result>(
    _ name: String, _ parse: (Int) throws -> Result
  ) -> Result? {
    numeral(name) { text in
      guard let number = Int(text), text.utf8.first != UInt8(ascii: "+") else {
        throw InvalidValue(code: "not-a-number", message: "Must be a whole number.")
      }
      return try parse(number)
    }
  }

  /// Reads a number in JSON syntax (RFC 8259 §6) within a range.
  mutating func fraction(_ name: String, in range: ClosedRange<Double>) -> Double? {
    numeral(name) { text in
      // Reject other syntax that Swift accepts: words and hexadecimal numbers.
      let isDecimal = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
      guard isDecimal, text.utf8.first != UInt8(ascii: "+"), let number = Double(text) else {
        throw InvalidValue(code: "not-a-number", message: "Must be a number like 0.2.")
      }
      guard range.contains(number) else {
        throw InvalidValue(
          code: "out-of-range",
          message:
            "Must be a number from \(Self.brief(range.lowerBound)) to \(Self.brief(range.upperBound))."
        )
      }
      // Convert -0 to 0.
      return number == 0 ? 0 : number
    }
  }

  /// Formats whole numbers as 0, not 0.0.
  private static func brief(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? number.description
  }

  /// Reads one of the values of an enumeration.
  mutating func word<Result: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Result.Type
  ) -> Result? where Result.RawValue == String { word(name, among: Array(Result.allCases)) }

  /// Reads the word `true` or `false`, as in a query; `false` if it is absent. ``flag(_:)`` reads a Boolean of JSON.
  mutating func isTrue(_ name: String) -> Bool { truth(name) ?? false }

  /// Reads the word `true` or `false`; `nil` if it is absent. Python writes both with a capital letter, also in the
  /// forms of generated clients.
  mutating func truth(_ name: String) -> Bool? {
    text(name) { text throws(InvalidValue) -> Bool in
      switch text {
      case "true", "True": return true
      case "false", "False": return false
      default: throw InvalidValue.notAllowed(among: ["true", "false"])
      }
    }
  }

  /// Reads a Boolean: a word in a form, and a Boolean in JSON.
  mutating func truthOrFlag(_ name: String) -> Bool? {
    sentJSON(name) == nil ? truth(name) : flag(name)
  }

  /// Reads one of `words`.
  mutating func word<Result: RawRepresentable>(
    _ name: String, among words: [Result]
  ) -> Result? where Result.RawValue == String {
    text(name) { text in
      guard let result = words.first(where: { $0.rawValue == text }) else {
        throw InvalidValue.notAllowed(among: words.map(\.rawValue))
      }
      return result
    }
  }

  /// Reads the bytes of a file, which is required and must not be empty.
  mutating func file(_ name: String) -> Bytes? {
    switch values[name] {
    case .bytes(let bytes) where !bytes.isEmpty: return bytes
    case .bytes: reject(name, code: "empty", "The file is empty.")
    case nil: rejectMissing(name)
    case .json: reject(name, code: "not-a-file", "Send the file as multipart/form-data.")
    case .text, .tooLarge: break
    }
    return nil
  }

  /// Rejects each of these fields that is missing or `null`.
  mutating func require(_ names: [String]) {
    for name in names where !has(name) || isNull(name) { rejectMissing(name) }
  }

  private mutating func rejectMissing(_ name: String) {
    reject(name, code: "missing", "This field is required.")
  }

  mutating func rejectUnknown(_ name: String) {
    // The beginning is enough to recognize a long name.
    reject(
      String(name.unicodeScalars.prefix(64)), code: "unknown-field",
      "Unknown field.")
  }

  mutating func rejectRepeated(_ name: String) {
    reject(name, code: "duplicate", "Send this field only once.")
  }

  mutating func reject(_ name: String, code: String, _ message: String) {
    invalid.append(InvalidField(path + name, code: code, message: message))
  }

  /// Adds the errors and replacements of another reader.
  mutating func reject(_ fields: FieldDecoder) {
    invalid += fields.invalid
    replaced += fields.replaced
  }

  /// - Throws: `invalidInput` with every invalid field.
  func finish() throws(Problem) {
    guard invalid.isEmpty else { throw Problem(invalid: invalid) }
  }

  /// Returns the errors found so far, and forgets them. The caller throws them later.
  mutating func takeFaults() -> [FieldFault] {
    defer { invalid = [] }
    return invalid.map { FieldFault($0.field, InvalidValue(code: $0.code, message: $0.message)) }
  }

  private mutating func text(_ name: String) -> String? {
    switch values[name] {
    case nil: return nil
    case .text(let text), .json(.text(let text)): return text
    case .json(.null): return nil
    case .json:
      reject(name, code: "not-a-text", "Must be a string.")
      return nil
    case .tooLarge:
      reject(name, code: "too-long", "Too long.")
      return nil
    case .bytes(let bytes):
      guard let text = bytes.utf8Text else {
        reject(name, code: "invalid-utf8", "Must be valid UTF-8.")
        return nil
      }
      return text
    }
  }
}

extension Problem {
  /// `invalidInput` with all invalid fields. The detail also names them, for people who read nothing else.
  init(invalid: [InvalidField]) {
    let told = invalid.prefix(20).map { "\($0.field): \($0.message)" }.joined(separator: " ")
    self.init(
      .invalidInput, invalid.count > 20 ? "\(told) The errors array lists more." : told,
      fields: invalid)
  }
}
