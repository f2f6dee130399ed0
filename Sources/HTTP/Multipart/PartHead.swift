/// The header fields of a form part that the server uses (RFC 7578 §4).
struct PartHead: Equatable {
  static let maximumNameBytes = 256

  /// The name of the form's field.
  let name: String

  /// Parses the header block of a part.
  ///
  /// - Parameter block: the lines, each with its CRLF, without the empty line that ends them.
  /// - Throws: 400 if the part does not belong to a form, or has an obsolete encoding.
  init(_ block: ArraySlice<UInt8>) throws(Problem) {
    var name: String?
    var rest = block
    while !rest.isEmpty {
      let field = try Self.field(takenFrom: &rest)
      switch field.name {
      case "content-disposition":
        guard name == nil else { throw Self.malformed("has two Content-Disposition headers") }
        name = try Self.fieldName(field.value)
      case "content-type":
        let isNested = Self.lowercased(field.value.prefix(10)) == "multipart/"
        if isNested { throw Self.malformed("is itself multipart") }
      case "content-transfer-encoding":
        // RFC 7578 §4.7 deprecates this field. These three values leave the bytes unchanged.
        guard ["binary", "7bit", "8bit"].contains(Self.lowercased(field.value)) else {
          throw Self.malformed("has an unsupported Content-Transfer-Encoding")
        }
      default: break
      }
    }
    guard let name else { throw Self.malformed("has no Content-Disposition with a name") }
    self.name = name
  }

  private static func field(
    takenFrom rest: inout ArraySlice<UInt8>
  ) throws(Problem) -> (name: String, value: ArraySlice<UInt8>) {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end > rest.startIndex,
      rest[end - 1] == UInt8(ascii: "\r")
    else { throw malformed("has a header line that does not end with CR LF") }
    let line = rest[..<(end - 1)]
    rest = rest[(end + 1)...]
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenCharacter)
    else { throw malformed("has a header line without a name") }
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    var value = line[(colon + 1)...].drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw malformed("has a header with a control character")
    }
    return (lowercased(line[..<colon]), value)
  }

  private static func fieldName(_ value: ArraySlice<UInt8>) throws(Problem) -> String {
    guard let disposition = ParameterizedValue(value), disposition.value == "form-data" else {
      throw malformed("has a Content-Disposition that is not form-data")
    }
    let names = disposition.parameters.filter { $0.name == "name" }
    guard names.count == 1, let name = String(validating: unescaped(names[0].value), as: UTF8.self)
    else { throw malformed("must have one name, in UTF-8") }
    guard (1...maximumNameBytes).contains(name.utf8.count) else {
      throw malformed("must have a name of 1 to \(maximumNameBytes) bytes")
    }
    return name
  }

  /// Undoes the escapes that browsers and curl use in names: only `%22`, `%0D` and `%0A` (HTML,
  /// "multipart/form-data encoding algorithm").
  private static func unescaped(_ name: [UInt8]) -> [UInt8] {
    guard name.contains(UInt8(ascii: "%")) else { return name }
    var result: [UInt8] = []
    var rest = name[...]
    while let byte = rest.popFirst() {
      switch byte == UInt8(ascii: "%") ? lowercased(rest.prefix(2)) : "" {
      case "22": result.append(UInt8(ascii: "\""))
      case "0d": result.append(UInt8(ascii: "\r"))
      case "0a": result.append(UInt8(ascii: "\n"))
      default:
        result.append(byte)
        continue
      }
      rest = rest.dropFirst(2)
    }
    return result
  }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
  }

  private static func malformed(_ what: String) -> Problem {
    Problem(.malformedRequest, "A part of the multipart body \(what).")
  }
}
