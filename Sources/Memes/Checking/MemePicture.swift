/// A stored picture of a meme.
package enum MemePicture: Hashable, Sendable {
  /// A picture that every meme has.
  case role(PictureRole)
  /// The picture in the box at this index of ``Recipe/pictures``.
  case boxed(Int)
  /// A rendition, made from the meme's image. It can be made again.
  case derived(width: Int, format: OutputFormat)

  /// - Parameter number: a number in the table of pictures.
  package init?(number: Int) {
    if let role = PictureRole(rawValue: number) {
      self = .role(role)
    } else {
      let index = number - PictureNumber.firstBoxed
      guard (0..<BoxedPicture.maximumCount).contains(index) else { return nil }
      self = .boxed(index)
    }
  }

  /// The name of the picture in findings.
  package var name: String {
    switch self {
    case .role(.original): "original"
    case .role(.image): "image"
    case .role(.tableThumbnail): "table-thumbnail"
    case .role(.gridThumbnail): "grid-thumbnail"
    case .boxed(let index): "boxed-\(index + 1)"
    case .derived(let width, let format): "derived-\(width)-\(format.rawValue)"
    }
  }
}
