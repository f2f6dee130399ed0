import Bytes

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

  /// Makes an id of 16 hexadecimal digits.
  package init(random: UInt64) {
    text = String(unsafeUninitializedCapacity: 16) { text in
      for place in 0..<16 {
        text[place] = Hexadecimal.digit(UInt8(truncatingIfNeeded: random >> (60 - 4 * place)) & 15)
      }
      return 16
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
