/// The style of captions.
public struct Style: Sendable, Hashable, Codable {
  /// The ID of the font, from ``MemeMeClient/fonts()``.
  public var font: String
  public var fill: Colour
  public var outline: Colour
  /// The outline width as a fraction of the font size.
  public var outlineWidth: Double
  /// The maximum font size as a fraction of the picture's height. Text shrinks below this size to fit.
  public var size: Double
  public var `case`: LetterCase
  public var align: Alignment
  public var layout: Layout
  /// Whether all captions have the font size of the smallest one; `nil` from a server that cannot do that.
  public var sameSize: Bool?
}

/// An opaque sRGB color in the form `#rrggbb`.
public struct Colour: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Whether captions are rendered in uppercase or as typed.
public struct LetterCase: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let upper: Self = "upper"
  public static let typed: Self = "typed"
}

/// The horizontal alignment of text.
public struct Alignment: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let left: Self = "left"
  public static let center: Self = "center"
  public static let right: Self = "right"
}

/// The vertical alignment of text in a box that is taller than the text.
public struct VerticalAlignment: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let top: Self = "top"
  public static let middle: Self = "middle"
  public static let bottom: Self = "bottom"
}

/// The placement of the top and bottom captions.
public struct Layout: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// On the picture.
  public static let overlay: Self = "overlay"
  /// In white bars above and below the picture.
  public static let bar: Self = "bar"
}

/// The file format of a rendered image.
public struct PictureFormat: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let jpeg: Self = "jpeg"
  public static let png: Self = "png"
  public static let webp: Self = "webp"
  public static let gif: Self = "gif"
  public static let avif: Self = "avif"
}
