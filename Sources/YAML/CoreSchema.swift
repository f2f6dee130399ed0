/// Resolves plain scalars by the core schema (YAML 1.2.2 §10.3.2).
enum CoreSchema {
  /// - Returns: `nil` for an integer that does not fit in 64 bits. As a float, it would be another number.
  static func resolve(_ text: String) -> YAML? {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .float(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .float(-.infinity)
    case ".nan", ".NaN", ".NAN": return .float(.nan)
    default: break
    }
    if isInteger(text.utf8[...]) { return Int(text).map(YAML.int) }
    if text.hasPrefix("0o"), text.utf8.dropFirst(2).allAre(octalDigit) {
      return Int(text.dropFirst(2), radix: 8).map(YAML.int)
    }
    if text.hasPrefix("0x"), text.utf8.dropFirst(2).allAre(hexadecimalDigit) {
      return Int(text.dropFirst(2), radix: 16).map(YAML.int)
    }
    if isFloat(text.utf8[...]) { return Double(text).map(YAML.float) }
    return .string(text)
  }

  /// `[-+]? [0-9]+`
  private static func isInteger(_ text: Substring.UTF8View) -> Bool {
    text.droppingSign.allAre(decimalDigit)
  }

  /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`
  private static func isFloat(_ text: Substring.UTF8View) -> Bool {
    let text = text.droppingSign
    let mantissa = text.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    if mantissa.endIndex != text.endIndex {
      let exponent = text[mantissa.endIndex...].dropFirst()
      guard exponent.droppingSign.allAre(decimalDigit) else { return false }
    }
    let whole = mantissa.prefix(while: decimalDigit)
    let rest = mantissa[whole.endIndex...]
    guard let point = rest.first else { return !whole.isEmpty }
    guard point == UInt8(ascii: ".") else { return false }
    let fraction = rest.dropFirst()
    return fraction.isEmpty ? !whole.isEmpty : fraction.allAre(decimalDigit)
  }

  private static func decimalDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func octalDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte)
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> Bool {
    decimalDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
  }
}

extension Substring.UTF8View {
  fileprivate var droppingSign: Substring.UTF8View {
    first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? dropFirst() : self
  }

  /// Whether there is at least one byte and `kind` returns `true` for all of them.
  fileprivate func allAre(_ kind: (UInt8) -> Bool) -> Bool { !isEmpty && allSatisfy(kind) }
}
