/// What is to change of a meme. What is kept stays, also where somebody else changes it meanwhile.
///
/// As JSON it is what is sent, so that an edit can be kept and sent later.
public struct MemeEdit: Sendable, Hashable, Codable {
  public var top: Change<String> = .keep
  public var bottom: Change<String> = .keep
  public var captions: Change<[CaptionBox]> = .keep
  public var altText: Change<String> = .keep
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
  public var crop: Change<Crop> = .keep
  public var visibility: Change<Meme.Visibility> = .keep
  /// Another picture, instead of the one that there is: one of these.
  public var upload: Change<Upload.ID> = .keep
  public var template: Change<Template.ID> = .keep
  public var remix: Change<Meme.ID> = .keep

  public init() {}

  public init(top: String? = nil, bottom: String? = nil) {
    self.top = top.map(Change.set) ?? .keep
    self.bottom = bottom.map(Change.set) ?? .keep
  }
}
