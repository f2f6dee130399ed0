import Bytes
import HTTP
import JSON

extension FieldReader {
  /// Reads the parts of a form; those that it does not have are invalid.
  ///
  /// - Parameter emptyIsNull: the fields that are, where they are empty, what `null` is in JSON; `nil`: none.
  /// - Throws: 413 where the picture has too many bytes.
  init(_ form: Form, emptyIsNull: ((String) -> Bool)? = nil) throws(Problem) {
    self.init(
      form.parts.compactMap { part in
        switch part.content {
        case .bytes(let bytes) where bytes.isEmpty && emptyIsNull?(part.name) == true:
          (part.name, .json(.null))
        case .bytes(let bytes): (part.name, .bytes(bytes))
        case .tooLarge: (part.name, .tooLarge)
        case .unknown: nil
        }
      })
    for part in form.parts {
      switch (part.content, part.name) {
      case (.unknown, let name):
        rejectUnknown(name)
      case (.tooLarge, "image"):
        throw Problem(.contentTooLarge, "The picture has more bytes than the server takes.")
      default: break
      }
    }
  }
}
