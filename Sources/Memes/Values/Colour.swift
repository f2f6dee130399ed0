/// An opaque sRGB colour, written `#rrggbb`.
package struct Colour: Hashable, Sendable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Reads `#` and six hexadecimal digits of either case.
  package init(_ text: String) throws(InvalidValue) {
    let digits = text.utf8.dropFirst().compactMap(Self.hexadecimalValue)
    guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else {
      throw InvalidValue(
        code: "invalid-colour", message: "A colour is written #rrggbb, like #ffcc00.")
    }
    (red, green, blue) = (
      digits[0] << 4 | digits[1], digits[2] << 4 | digits[3], digits[4] << 4 | digits[5]
    )
  }

  package static let white = Colour(red: 255, green: 255, blue: 255)
  package static let black = Colour(red: 0, green: 0, blue: 0)

  private static func hexadecimalValue(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Colour: CustomStringConvertible {
  package var description: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
