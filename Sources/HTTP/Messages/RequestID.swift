/// Names one request in the answer, in its problem document and in every log line.
package struct RequestID: Hashable, Sendable {
  package let text: String

  /// Takes a client's or proxy's id: 8 to 64 letters, digits, dots, underscores and hyphens.
  package init?(_ text: String) {
    guard (8...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    self.text = text
  }

  /// Makes an id of 13 letters and digits, five bits each: so short a string needs no memory of its own.
  package init(random: UInt64) {
    text = String(unsafeUninitializedCapacity: 13) { text in
      for place in 0..<13 {
        text[place] = Self.digit(UInt8(truncatingIfNeeded: random >> (60 - 5 * place)) & 31)
      }
      return 13
    }
  }

  /// Crockford's base 32, which has no letters that look like digits.
  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<10: UInt8(ascii: "0") + value
    case 10..<18: UInt8(ascii: "a") + value - 10
    case 18..<20: UInt8(ascii: "j") + value - 18
    case 20..<22: UInt8(ascii: "m") + value - 20
    case 22..<27: UInt8(ascii: "p") + value - 22
    default: UInt8(ascii: "v") + value - 27
    }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
