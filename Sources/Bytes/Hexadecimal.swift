/// Conversion between bytes and hexadecimal digits in ASCII.
package enum Hexadecimal {
  /// The lowercase digit for a number from 0 to 15.
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// Both digits of a byte in uppercase, as RFC 2045 and RFC 3986 specify.
  package static func pair(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// The value of a digit in either case; `nil` if it is not a hexadecimal digit.
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The lowercase hexadecimal text for `bytes`.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
  }

  /// The bytes that a text represents; `nil` if the text is not in the form that ``text(of:)`` writes.
  package static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text.utf8 {
      guard let value = value(of: digit), self.digit(value) == digit else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }
}
