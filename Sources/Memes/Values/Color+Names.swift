extension Color {
  /// Reads a color that a person typed: a name, or hexadecimal digits with or without a number sign.
  package static func typed(_ text: String) throws(InvalidValue) -> Color {
    if let named = named[text.lowercased()] { return named }
    let digits = text.first == "#" ? text.dropFirst() : text[...]
    let six = digits.count == 3 ? digits.map { "\($0)\($0)" }.joined() : String(digits)
    guard let color = try? Color("#\(six)") else {
      throw InvalidValue(
        code: "invalid-colour",
        message: "Must be a color name like red, or digits like ffcc00; in a URL, # is %23.")
    }
    return color
  }

  /// The basic colors of CSS, and those that the templates of memegen use.
  private static let named: [String: Color] = [
    "white": .white, "silver": Color(0xc0c0c0), "gray": Color(0x808080), "grey": Color(0x808080),
    "black": .black, "red": Color(0xff0000), "maroon": Color(0x800000), "yellow": Color(0xffff00),
    "olive": Color(0x808000), "lime": Color(0x00ff00), "green": Color(0x008000),
    "aqua": Color(0x00ffff), "cyan": Color(0x00ffff), "teal": Color(0x008080),
    "blue": Color(0x0000ff), "navy": Color(0x000080), "fuchsia": Color(0xff00ff),
    "magenta": Color(0xff00ff), "purple": Color(0x800080), "orange": Color(0xffa500),
    "pink": Color(0xffc0cb), "brown": Color(0xa52a2a), "gold": Color(0xffd700),
  ]

  private init(_ number: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }
}
