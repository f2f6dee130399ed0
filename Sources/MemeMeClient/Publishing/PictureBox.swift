/// A box that holds a picture, such as a sticker or a second panel. Position and size are fractions of the cropped
/// picture's size.
public struct PictureBox: Sendable, Hashable, Codable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double
  /// The rotation in degrees, clockwise about the center of the box; `nil` if the box is not rotated.
  public var rotation: Double?
  /// `nil` shows the whole picture.
  public var fit: Fit?

  public init(x: Double, y: Double, width: Double, height: Double, fit: Fit? = nil) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.fit = fit
  }

  /// How a picture with another aspect ratio fills its box.
  public struct Fit: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The whole picture is visible.
    public static let contain: Self = "contain"
    /// The whole box is covered, and the rest of the picture is cut off.
    public static let cover: Self = "cover"
  }

  /// A box in a request, with its picture.
  public struct New: Sendable, Hashable, Codable {
    public enum Source: Sendable, Hashable {
      /// A picture that was uploaded before.
      case upload(Upload.ID)
      case template(Template.ID)
      /// For an edit: the picture in the box at this index of ``Meme/pictures``.
      case kept(Int)
    }

    public var source: Source
    public var box: PictureBox

    public init(_ source: Source, in box: PictureBox) {
      self.source = source
      self.box = box
    }
  }
}

extension PictureBox.New {
  private enum Key: String, CodingKey { case upload, template, kept }

  public init(from decoder: any Decoder) throws {
    box = try PictureBox(from: decoder)
    let members = try decoder.container(keyedBy: Key.self)
    if let upload = try members.decodeIfPresent(Upload.ID.self, forKey: .upload) {
      source = .upload(upload)
    } else if let template = try members.decodeIfPresent(Template.ID.self, forKey: .template) {
      source = .template(template)
    } else {
      source = .kept(try members.decode(Int.self, forKey: .kept))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try box.encode(to: encoder)
    var members = encoder.container(keyedBy: Key.self)
    switch source {
    case .upload(let id): try members.encode(id, forKey: .upload)
    case .template(let id): try members.encode(id, forKey: .template)
    case .kept(let index): try members.encode(index, forKey: .kept)
    }
  }
}
