/// A stored picture of a meme.
package enum MemePicture: Hashable, Sendable {
  /// A picture that every meme has.
  case role(PictureRole)
  /// A rendition, made from the meme's image. It can be made again.
  case derived(width: Int, format: OutputFormat)

  /// The name of the picture in findings.
  package var name: String {
    switch self {
    case .role(.original): "original"
    case .role(.image): "image"
    case .role(.tableThumbnail): "table-thumbnail"
    case .role(.gridThumbnail): "grid-thumbnail"
    case .derived(let width, let format): "derived-\(width)-\(format.rawValue)"
    }
  }
}
