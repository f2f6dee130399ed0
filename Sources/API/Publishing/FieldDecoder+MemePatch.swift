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

extension FieldDecoder {
  /// Reads the tags of a meme: an array of texts in JSON, and in a form this array or a list with commas.
  mutating func tags() -> [Tag]? {
    guard let json = sentJSON("tags") else { return text("tags", Self.tags(listed:)) }
    guard json != .null else { return nil }
    guard case .array(let elements) = json else {
      reject("tags", code: "not-an-array", "Must be a JSON array.")
      return nil
    }
    do { return try Self.tags(in: elements) } catch {
      reject("tags", code: error.code, error.message)
      return nil
    }
  }

  private static func tags(listed text: String) throws -> [Tag] {
    guard text.first == "[" else {
      return try [Tag](reading: text.split(separator: ",").map { String($0.trimmingSpaces()) })
    }
    guard case .array(let elements) = try? JSON(parsing: Bytes(text)) else {
      throw InvalidValue(code: "not-json", message: "Must be a JSON array, or a list with commas.")
    }
    return try tags(in: elements)
  }

  private static func tags(in elements: [JSON]) throws(InvalidValue) -> [Tag] {
    var texts: [String] = []
    for element in elements {
      guard case .text(let text) = element else {
        throw InvalidValue(code: "not-a-text", message: "Each tag must be a text.")
      }
      texts.append(text)
    }
    return try [Tag](reading: texts)
  }
}
