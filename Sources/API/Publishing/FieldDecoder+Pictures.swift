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
    let known = Set(sources + ["x", "y", "width", "height", "rotation", "fit"])
    return objects("pictures", most: BoxedPicture.maximumCount, known: known) { fields in
      let sent = sources.filter { fields.has($0) && !fields.isNull($0) }
      let all = sources.joined(separator: ", ")
      if sent.isEmpty { fields.reject(sources[0], code: "missing", "Send one of: \(all).") }
      if sent.count > 1 {
        for name in sent { fields.reject(name, code: "not-together", "Send only one of: \(all).") }
      }
      fields.require(["x", "y", "width", "height"])
      let source = sent.first.flatMap { read(&fields, $0) }
      let place = fields.place()
      let rotation = fields.fraction("rotation", in: CaptionBox.rotations) ?? 0
      let fit = fields.word("fit", PictureBox.Fit.self) ?? .contain
      guard let source, let place else { return nil }
      return BoxedPicture(source, in: PictureBox(place: place, rotation: rotation, fit: fit))
    }
  }
}
