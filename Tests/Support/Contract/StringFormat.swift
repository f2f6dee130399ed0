import Foundation

/// The formats of strings that are checked (JSON Schema validation §7.3).
enum StringFormat: String {
  case uuid
  case dateTime = "date-time"
  case uriReference = "uri-reference"
  /// A file in a form. It is not JSON, so there is nothing to check.
  case binary

  func accepts(_ text: String) -> Bool {
    switch self {
    case .uuid: text.utf8.count == 36 && UUID(uuidString: text) != nil
    case .dateTime: Self.isDateTime(text)
    case .uriReference: Self.isURIReference(text)
    case .binary: true
    }
  }

  /// RFC 3339 §5.6. The day must also exist in the calendar.
  private static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    // The digits of 2006-01-02T15:04:05, and the characters between them.
    let shape = Array("dddd-dd-ddTdd:dd:dd".utf8)
    guard bytes.count > shape.count, zip(bytes, shape).allSatisfy(fits),
      let offset = offset(after: bytes.dropFirst(shape.count))
    else { return false }
    let places = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19]
    let numbers = places.compactMap { Int(String(decoding: bytes[$0], as: UTF8.self)) }
    guard numbers[3] < 24, numbers[4] < 60, numbers[5] <= 60, offset.hour < 24, offset.minute < 60
    else { return false }
    let leap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
    let days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return days.indices.contains(numbers[1] - 1) && (1...days[numbers[1] - 1]).contains(numbers[2])
  }

  private static func fits(_ byte: UInt8, _ place: UInt8) -> Bool {
    switch place {
    case UInt8(ascii: "d"): isDigit(byte)
    case UInt8(ascii: "T"): byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t")
    default: byte == place
    }
  }

  /// The offset after a fraction of a second, if there is one.
  private static func offset(after rest: ArraySlice<UInt8>) -> (hour: Int, minute: Int)? {
    var rest = rest
    if rest.first == UInt8(ascii: ".") {
      let end = rest.dropFirst().drop(while: isDigit)
      guard end.startIndex > rest.startIndex + 1 else { return nil }
      rest = end
    }
    if rest.elementsEqual("Z".utf8) || rest.elementsEqual("z".utf8) { return (0, 0) }
    guard let sign = rest.popFirst(), [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign),
      rest.count == 5, zip(rest, "dd:dd".utf8).allSatisfy(fits)
    else { return nil }
    let text = String(decoding: rest, as: UTF8.self)
    guard let hour = Int(text.prefix(2)), let minute = Int(text.suffix(2)) else { return nil }
    return (hour, minute)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The characters that a URI may contain unescaped (RFC 3986 §2), and the percent sign.
  private static let uriCharacters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%".utf8)

  /// RFC 3986 §4.1. Checks the characters and the parts.
  private static func isURIReference(_ text: String) -> Bool {
    guard text.utf8.allSatisfy(uriCharacters.contains) else { return false }
    let escapes = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
    let areWhole = escapes.dropFirst().allSatisfy { part in
      part.count >= 2 && part.prefix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
    return areWhole && URLComponents(string: text) != nil
  }
}
