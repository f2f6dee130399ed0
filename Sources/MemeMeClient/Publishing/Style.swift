/// How captions look.
public struct Style: Sendable, Hashable, Codable {
  /// The font's id, from ``MemeMeClient/fonts()``.
  public var font: String
  public var fill: Colour
  public var outline: Colour
  /// The width of the outline's pen as a fraction of the font size.
  public var outlineWidth: Double
  /// The largest font size as a fraction of the picture's height. Text shrinks below it to fit.
  public var size: Double
  public var `case`: LetterCase
  public var align: Alignment
  public var layout: Layout
}

extension Style {
  /// What the contract has where nobody chose: white with a black outline on a picture, plain black in a bar.
  static func standard(for layout: Layout) -> Style {
    let isBar = layout == .bar
    return Style(
      font: "impact", fill: isBar ? "#000000" : "#ffffff", outline: "#000000",
      outlineWidth: isBar ? 0 : 0.11, size: 0.14, case: .upper, align: .center, layout: layout)
  }
}

/// An opaque sRGB colour, as `#rrggbb`.
public struct Colour: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Whether all letters are drawn as capitals.
public struct LetterCase: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let upper: Self = "upper"
  public static let typed: Self = "typed"
}

/// Where lines begin or end.
public struct Alignment: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let left: Self = "left"
  public static let center: Self = "center"
  public static let right: Self = "right"
}

/// Where text sits in a box that is higher than it.
public struct VerticalAlignment: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let top: Self = "top"
  public static let middle: Self = "middle"
  public static let bottom: Self = "bottom"
}

/// Where the captions above and below are.
public struct Layout: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// On the picture.
  public static let overlay: Self = "overlay"
  /// In white bars above and below it.
  public static let bar: Self = "bar"
}

/// A kind of file that a meme becomes.
public struct PictureFormat: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let jpeg: Self = "jpeg"
  public static let png: Self = "png"
  public static let webp: Self = "webp"
  public static let gif: Self = "gif"
  public static let avif: Self = "avif"
}
