import Foundation

/// All that a person chooses for a meme but its picture. What is `nil` is as the server has it, or the person's settings.
public struct MemeFields: Sendable, Hashable, Codable {
  /// The captions above and below, each of at most 280 characters; a newline starts a new line.
  public var top: String?
  public var bottom: String?
  /// Captions in boxes of their own instead, at most 20.
  public var captions: [CaptionBox]?
  /// What a screen reader says in place of the picture; made of the captions where it is `nil`.
  public var altText: String?
  /// The longest edge of the meme in pixels. A picture is never enlarged.
  public var maxEdge: Int?
  public var format: PictureFormat?
  public var layout: Layout?
  public var font: String?
  public var fill: Colour?
  public var outline: Colour?
  public var outlineWidth: Double?
  public var size: Double?
  public var `case`: LetterCase?
  public var align: Alignment?
  public var crop: Crop?
  public var visibility: Meme.Visibility?

  public init(
    top: String? = nil, bottom: String? = nil, captions: [CaptionBox]? = nil,
    visibility: Meme.Visibility? = nil
  ) {
    self.top = top
    self.bottom = bottom
    self.captions = captions
    self.visibility = visibility
  }
}

extension MemeFields {
  func add(to form: inout MultipartForm) throws {
    form.add("top", top)
    form.add("bottom", bottom)
    form.add(
      "captions",
      try captions.map { String(decoding: try JSONEncoder.mememe.encode($0), as: UTF8.self) })
    form.add("altText", altText)
    form.add("maxEdge", maxEdge)
    form.add("format", format)
    form.add("layout", layout)
    form.add("font", font)
    form.add("fill", fill)
    form.add("outline", outline)
    form.add("outlineWidth", outlineWidth)
    form.add("size", size)
    form.add("case", self.case)
    form.add("align", align)
    form.add("crop", crop)
    form.add("visibility", visibility)
  }
}
