/// A header field's value of the form `value; name=value; name="value"`, as in Content-Type and
/// Content-Disposition (RFC 9110 §5.6.6).
struct ParameterizedValue {
  /// The text before the first semicolon, in lowercase.
  let value: String
  /// The parameters in order: names in lowercase, values as bytes, without their quotes and escapes.
  let parameters: [(name: String, value: [UInt8])]

  /// - Returns: `nil` if the syntax is invalid.
  init?(_ bytes: some Sequence<UInt8>) {
    var scanner = Scanner(rest: Array(bytes)[...])
    scanner.skipWhitespace()
    guard let value = scanner.token(alsoAllowing: UInt8(ascii: "/")) else { return nil }
    var parameters: [(name: String, value: [UInt8])] = []
    scanner.skipWhitespace()
    while scanner.take(UInt8(ascii: ";")) {
      scanner.skipWhitespace()
      // RFC 9110 §5.6.6 allows an empty parameter, as after a trailing semicolon.
      guard let next = scanner.rest.first else { break }
      if next == UInt8(ascii: ";") { continue }
      guard let name = scanner.token(), scanner.take(UInt8(ascii: "=")),
        let value = scanner.value()
      else { return nil }
      parameters.append((name: name, value: value))
      scanner.skipWhitespace()
    }
    guard scanner.rest.isEmpty else { return nil }
    (self.value, self.parameters) = (value, parameters)
  }
}

extension ParameterizedValue {
  private struct Scanner {
    var rest: ArraySlice<UInt8>

    mutating func skipWhitespace() {
      rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      guard rest.first == byte else { return false }
      rest = rest.dropFirst()
      return true
    }

    mutating func token(alsoAllowing extra: UInt8? = nil) -> String? {
      let token = rest.prefix { $0.isTokenCharacter || $0 == extra }
      guard !token.isEmpty else { return nil }
      rest = rest[token.endIndex...]
      return String(decoding: token, as: UTF8.self).lowercased()
    }

    mutating func value() -> [UInt8]? {
      if take(UInt8(ascii: "\"")) { return quoted() }
      let bare = rest.prefix { $0.isTokenCharacter }
      guard !bare.isEmpty else { return nil }
      rest = rest[bare.endIndex...]
      return Array(bare)
    }

    /// Reads the rest of a quoted string.
    ///
    /// A backslash escapes a quote or a backslash. Before any other byte, it stands for itself, because some clients
    /// send Windows file names without escapes.
    private mutating func quoted() -> [UInt8]? {
      var value: [UInt8] = []
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\""): return value
        case UInt8(ascii: "\\"):
          if let next = rest.first, next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
            rest = rest.dropFirst()
            value.append(next)
          } else {
            value.append(byte)
          }
        default: value.append(byte)
        }
      }
      return nil
    }
  }
}
