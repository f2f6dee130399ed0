/// The fields of a meme except its picture. If a field is `nil`, the user's settings or the server's default apply.
public struct MemeFields: Sendable, Hashable, Codable {
  /// The captions at the top and bottom, at most 280 characters each. A newline starts a new line.
  public var top: String?
  public var bottom: String?
  /// Captions in their own boxes instead of top and bottom, at most 20.
  public var captions: [CaptionBox]?
  /// Pictures in boxes below the captions, such as stickers, at most 8.
  public var pictures: [PictureBox.New]?
  /// The text alternative for screen readers. If `nil`, the server derives it from the captions.
  public var altText: String?
  /// At most 10: letters, digits and hyphens, in any script.
  public var tags: [String]?
  /// The maximum edge length of the rendered image in pixels. Pictures are never enlarged.
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
  /// Whether all captions have the font size of the smallest one.
  public var sameSize: Bool?
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
    try form.add("captions", json: captions)
    try form.add("pictures", json: pictures)
    form.add("altText", altText)
    try form.add("tags", json: tags)
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
    form.add("sameSize", sameSize)
    form.add("crop", crop)
    form.add("visibility", visibility)
  }
}
