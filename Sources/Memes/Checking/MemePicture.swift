/// A picture that is kept of a meme.
package enum MemePicture: Hashable, Sendable {
  /// One that every meme has.
  case role(PictureRole)
  /// One that was made of its image, and can be made again.
  case derived(width: Int, format: OutputFormat)

  /// As findings name it.
  var name: String {
    switch self {
    case .role(.original): "original"
    case .role(.image): "image"
    case .role(.tableThumbnail): "table-thumbnail"
    case .role(.gridThumbnail): "grid-thumbnail"
    case .derived(let width, let format): "derived-\(width)-\(format.rawValue)"
    }
  }
}
