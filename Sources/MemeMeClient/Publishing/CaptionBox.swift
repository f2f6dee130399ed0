/// A caption in its own box. Position and size are fractions of the cropped picture's size.
///
/// A style property that is `nil` is inherited from the meme.
public struct CaptionBox: Sendable, Hashable, Codable {
  public var text: String
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double
  /// The rotation in degrees, clockwise about the center of the box; `nil` if the box is not rotated.
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

/// A part of the upright original, in pixels of the original.
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
