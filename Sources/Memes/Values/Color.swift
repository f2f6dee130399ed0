import Bytes

/// An opaque sRGB color, written `#rrggbb`.
package struct Color: Hashable, Sendable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Parses `#` and six hexadecimal digits of either case.
  package init(_ text: String) throws(InvalidValue) {
    let digits = text.utf8.dropFirst().compactMap(Hexadecimal.value)
    guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7, digits.count == 6 else {
      throw InvalidValue(
        code: "invalid-colour", message: "Must be a color like #ffcc00.")
    }
    (red, green, blue) = (
      digits[0] << 4 | digits[1], digits[2] << 4 | digits[3], digits[4] << 4 | digits[5]
    )
  }

  package static let white = Color(red: 255, green: 255, blue: 255)
  package static let black = Color(red: 0, green: 0, blue: 0)
}

extension Color: CustomStringConvertible {
  package var description: String {
    String(unsafeUninitializedCapacity: 7) { text in
      text[0] = UInt8(ascii: "#")
      for (place, byte) in zip([1, 3, 5], [red, green, blue]) {
        text[place] = Hexadecimal.digit(byte >> 4)
        text[place + 1] = Hexadecimal.digit(byte & 15)
      }
      return 7
    }
  }
}
