/// A caption in a box of its own. Its place and size are fractions of the picture's, of what the crop leaves of it.
///
/// Of the style, what is `nil` is the meme's.
public struct CaptionBox: Sendable, Hashable, Codable {
  public var text: String
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double
  /// In degrees, clockwise, about the box's middle; `nil` where it does not turn.
  public var rotation: Double?
  public var align: Alignment?
  public var verticalAlign: VerticalAlignment?
  public var font: String?
  public var fill: Colour?
  public var outline: Colour?
  public var outlineWidth: Double?
  public var size: Double?
  public var `case`: LetterCase?

  public init(_ text: String, x: Double, y: Double, width: Double, height: Double) {
    self.text = text
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A part of the upright original, in its pixels.
public struct Crop: Sendable, Hashable, Codable, CustomStringConvertible {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public var description: String { "\(x),\(y),\(width),\(height)" }
}
