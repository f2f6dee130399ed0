import Bytes
import HTTP
import JSON
import Memes

extension FieldDecoder {
  /// Reads an edit as a JSON merge patch (RFC 7396). The errors found so far, also those of other fields, become faults
  /// of the patch.
  ///
  /// - Parameter faces: the font faces that captions can use.
  mutating func memePatch(faces: [FontFace]) -> MemePatch {
    var patch = MemePatch()
    patch.picture = pictureSource()
    patch.faults[.picture] = takeFaults()
    patch.recipe = recipePatch(faces: faces)
    patch.faults[.recipe] = takeFaults()
    patch.pictures = change("pictures", pictures(mayKeep: true))
    patch.faults[.pictures] = takeFaults()
    let altText = change("altText", text("altText", AltText.init(_:)))
    // An empty text also resets the field.
    patch.altText = altText.value?.text.isEmpty == true ? .reset : altText
    patch.faults[.altText] = takeFaults()
    patch.tags = change("tags", tags())
    patch.faults[.tags] = takeFaults()
    patch.format = change("format", text("format") { (text) in text })
    patch.faults[.format] = takeFaults()
    patch.visibility = change("visibility", word("visibility", Visibility.self))
    patch.faults[.visibility] = takeFaults()
    return patch
  }

  /// The change of a field, from its value as read.
  func change<Value: Sendable>(_ name: String, _ sent: Value?) -> FieldChange<Value> {
    if let sent { return .set(sent) }
    return isNull(name) ? .reset : .keep
  }
}
