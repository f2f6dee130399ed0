import JSON
import Memes

/// Reads the pictures in boxes.
extension FieldDecoder {
  /// - Parameter mayKeep: whether a box may keep a picture that the meme already has.
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  mutating func pictures(mayKeep: Bool = false) -> [BoxedPicture]? {
    let sources = ["upload", "template"] + (mayKeep ? ["kept"] : [])
    return pictures(from: sources) { fields, name in
      switch name {
      case "upload": fields.text(name) { text in .upload(try uuid(UploadID(text))) }
      case "template": fields.text(name) { text in .template(try uuid(TemplateID(text))) }
      default: fields.number(name) { number in .kept(number) }
      }
    }
  }

  /// - Parameters:
  ///   - sources: the members that can name a picture.
  ///   - read: reads one of them.
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  mutating func pictures(
    from sources: [String],
    _ read: (inout FieldDecoder, String) -> BoxedPicture.Source?
  ) -> [BoxedPicture]? {
    objects(
      "pictures", most: BoxedPicture.maximumCount, known: Self.boxMembers.union(sources)
    ) { fields in
      let sent = sources.filter { fields.has($0) && !fields.isNull($0) }
      let all = sources.joined(separator: ", ")
      if sent.isEmpty { fields.reject(sources[0], code: "missing", "Send one of: \(all).") }
      if sent.count > 1 {
        for name in sent { fields.reject(name, code: "not-together", "Send only one of: \(all).") }
      }
      let source = sent.first.flatMap { read(&fields, $0) }
      guard let box = fields.pictureBox(), let source else { return nil }
      return BoxedPicture(source, in: box)
    }
  }

  /// Reads places for pictures.
  ///
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  mutating func picturePlaces() -> [PictureBox]? {
    objects("pictures", most: BoxedPicture.maximumCount, known: Self.boxMembers) { fields in
      fields.pictureBox()
    }
  }

  private static let boxMembers: Set = ["x", "y", "width", "height", "rotation", "fit"]

  private mutating func pictureBox() -> PictureBox? {
    require(["x", "y", "width", "height"])
    let place = place()
    let rotation = fraction("rotation", in: CaptionBox.rotations) ?? 0
    let fit = word("fit", PictureBox.Fit.self) ?? .contain
    return place.map { PictureBox(place: $0, rotation: rotation, fit: fit) }
  }
}
