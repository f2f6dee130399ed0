@testable import HTTP

extension FuzzTarget {
  /// Parameterized values, as in Content-Type and Content-Disposition, and the header block of a part.
  static let parameters = FuzzTarget(name: "parameters", maximumBytes: 1024) { bytes in
    if let value = ParameterizedValue(bytes) {
      try require(value.value == value.value.lowercased(), "the value is in lower case")
      var text = Array(value.value.utf8)
      for parameter in value.parameters {
        try require(!parameter.name.isEmpty, "a parameter has a name")
        text += Array("; \(parameter.name)=\"".utf8)
        for byte in parameter.value {
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            text.append(UInt8(ascii: "\\"))
          }
          text.append(byte)
        }
        text.append(UInt8(ascii: "\""))
      }
      let again = ParameterizedValue(text)
      try require(
        again?.value == value.value && again?.parameters.count == value.parameters.count
          && zip(again?.parameters ?? [], value.parameters).allSatisfy { $0 == $1 },
        "what was read is written and read the same")
    }
    if let text = HeaderValue(String(decoding: bytes, as: UTF8.self)),
      let boundary = try? MultipartBoundary(contentType: text)
    {
      try require(MultipartBoundary(boundary.text) == boundary, "a boundary is one by itself")
    }
    if let head = try? PartHead(bytes[...]) {
      try require((1...PartHead.maximumNameBytes).contains(head.name.utf8.count), "a bounded name")
      try require(!head.name.utf8.contains(0), "a name without NUL")
    }
  }
}
