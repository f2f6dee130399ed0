/// The changes of an edit. Unchanged fields are not sent, so concurrent changes to them are preserved.
///
/// The JSON encoding is the request body, so an edit can be stored and sent later.
public struct MemeEdit: Sendable, Hashable, Codable {
  public var top: Change<String> = .keep
  public var bottom: Change<String> = .keep
  public var captions: Change<[CaptionBox]> = .keep
  public var pictures: Change<[PictureBox.New]> = .keep
  public var altText: Change<String> = .keep
  public var tags: Change<[String]> = .keep
  public var maxEdge: Change<Int> = .keep
  public var format: Change<PictureFormat> = .keep
  public var layout: Change<Layout> = .keep
  public var font: Change<String> = .keep
  public var fill: Change<Colour> = .keep
  public var outline: Change<Colour> = .keep
  public var outlineWidth: Change<Double> = .keep
  public var size: Change<Double> = .keep
  public var `case`: Change<LetterCase> = .keep
  public var align: Change<Alignment> = .keep
  public var sameSize: Change<Bool> = .keep
  public var crop: Change<Crop> = .keep
  public var visibility: Change<Meme.Visibility> = .keep
  /// A new picture for the meme. Set at most one of `upload`, `template` and `remix`.
  public var upload: Change<Upload.ID> = .keep
  public var template: Change<Template.ID> = .keep
  public var remix: Change<Meme.ID> = .keep

  public init() {}

  public init(top: String? = nil, bottom: String? = nil) {
    self.top = top.map(Change.set) ?? .keep
    self.bottom = bottom.map(Change.set) ?? .keep
  }
}
