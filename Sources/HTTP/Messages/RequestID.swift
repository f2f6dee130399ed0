/// Identifies one request in the response, in its problem document and in every log line.
package struct RequestID: Hashable, Sendable {
  package let text: String

  /// Accepts the id of a client or proxy: 8 to 64 letters, digits, dots, underscores and hyphens.
  package init?(_ text: String) {
    guard (8...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    self.text = text
  }

  /// Creates an id of 13 letters and digits, five bits each. Such a short string needs no allocation.
  package init(random: UInt64) {
    text = String(unsafeUninitializedCapacity: 13) { text in
      var rest = random
      for place in (0..<13).reversed() {
        text[place] = Self.digits.utf8Start[Int(rest & 31)]
        rest >>= 5
      }
      return 13
    }
  }

  /// Crockford's base 32, which has no letters that look like digits.
  private static let digits: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

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
