import Bytes
import HTTP
import JSON

extension FieldDecoder {
  /// Reads the parts of a form. Parts that the form does not define are invalid.
  ///
  /// - Parameter emptyIsNull: whether the field with this name means `null` if it is empty. If `nil`, no field does.
  /// - Throws: `contentTooLarge` if the picture is too large.
  init(_ form: Form, emptyIsNull: ((String) -> Bool)? = nil) throws(Problem) {
    self.init(
      form.parts.compactMap { part in
        switch part.content {
        case .bytes(let bytes) where bytes.isEmpty && emptyIsNull?(part.name) == true:
          (part.name, .json(.null))
        case .bytes(let bytes): (part.name, .bytes(bytes))
        case .tooLarge: (part.name, .tooLarge)
        case .repeated, .unknown: nil
        }
      })
    for part in form.parts {
      switch (part.content, part.name) {
      case (.unknown, let name):
        rejectUnknown(name)
      case (.repeated, let name):
        rejectRepeated(name)
      case (.tooLarge, "image"):
        throw Problem(.contentTooLarge, "The picture exceeds the size limit.")
      default: break
      }
    }
  }
}
