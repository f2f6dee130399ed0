import HTTP

extension FieldReader {
  /// Reads the parts of a form; those that it does not have are invalid.
  ///
  /// - Throws: 413 where the picture has too many bytes.
  init(_ form: Form) throws(Problem) {
    self.init(
      form.parts.compactMap { part in
        switch part.content {
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

  /// Refuses fields that were not sent.
  mutating func require(_ names: [String]) {
    for name in names where !has(name) || isNull(name) {
      reject(name, code: "missing", "This field is required.")
    }
  }
}
