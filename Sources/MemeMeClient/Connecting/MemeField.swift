/// A part of a meme that a mapping can leave out of its events: a property of ``Meme``.
public struct MemeField: OpenValue {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let author: Self = "author"
  public static let visibility: Self = "visibility"
  public static let top: Self = "top"
  public static let bottom: Self = "bottom"
  public static let captions: Self = "captions"
  public static let style: Self = "style"
  public static let crop: Self = "crop"
  public static let altText: Self = "altText"
  public static let image: Self = "image"
  public static let original: Self = "original"
  public static let thumbnails: Self = "thumbnails"
  public static let fit: Self = "fit"
  public static let counts: Self = "counts"
  public static let tags: Self = "tags"
  public static let remixOf: Self = "remixOf"
  public static let pictures: Self = "pictures"
}
