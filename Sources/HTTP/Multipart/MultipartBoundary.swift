/// The separator of the parts of a multipart body: the `boundary` parameter of its Content-Type (RFC 2046 §5.1.1).
package struct MultipartBoundary: Equatable, Sendable {
  /// RFC 2046 §5.1.1: 1 to 70 characters.
  package static let maximumBytes = 70

  package let text: String

  /// - Returns: `nil` if `text` is not 1 to 70 of the characters that RFC 2046 allows, or ends with a space.
  package init?(_ text: String) {
    guard (1...Self.maximumBytes).contains(text.utf8.count), text.last != " ",
      text.utf8.allSatisfy(Self.isBoundaryCharacter)
    else { return nil }
    self.text = text
  }

  /// Reads the boundary from a request's Content-Type.
  ///
  /// - Throws: 415 if the body is not `multipart/form-data`, 400 if the boundary is missing or invalid.
  package init(contentType: HeaderValue?) throws(Problem) {
    let mediaType = contentType?.text.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
    guard let contentType, mediaType?.lowercased() == "multipart/form-data" else {
      throw Problem(
        .unsupportedMediaType, "The Content-Type must be multipart/form-data.",
        headers: Headers([(.accept, "multipart/form-data")]))
    }
    let parameters = ParameterizedValue(contentType.text.utf8)?.parameters ?? []
    let boundaries = parameters.filter { $0.name == "boundary" }
    guard boundaries.count == 1,
      let text = String(validating: boundaries[0].value, as: UTF8.self),
      let boundary = MultipartBoundary(text)
    else {
      throw Problem(
        .malformedRequest, "The Content-Type must have one boundary of 1 to 70 characters.")
    }
    self = boundary
  }

  /// `bchars` of RFC 2046 §5.1.1.
  private static func isBoundaryCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"),
      UInt8(ascii: "_"), UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "?"),
      UInt8(ascii: " "):
      true
    default: false
    }
  }
}
