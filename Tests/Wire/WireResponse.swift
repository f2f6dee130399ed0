/// A response as it was received.
package struct WireResponse: Sendable {
  package let status: Int
  /// Names in lower case, in order of arrival.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  /// The value of the first field with this lowercase name.
  package subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  package var text: String { String(decoding: body, as: UTF8.self) }
  package var isClosing: Bool { self["connection"]?.lowercased() == "close" }

  /// - Parameter toHead: whether the request was HEAD, whose response has no body.
  /// - Returns: `nil` if the bytes do not yet contain a whole response.
  static func parse(_ bytes: [UInt8], toHead: Bool) -> (WireResponse, rest: ArraySlice<UInt8>)? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    let headers = lines.dropFirst().map { line in
      let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? sides[1].drop { $0 == " " } : ""
      return (name: sides[0].lowercased(), value: String(value))
    }
    var count = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    if toHead || status < 200 || status == 204 || status == 304 { count = 0 }
    guard bytes.count >= end.upperBound + count else { return nil }
    let body = Array(bytes[end.upperBound..<end.upperBound + count])
    return (
      WireResponse(status: status, headers: headers, body: body),
      bytes[(end.upperBound + count)...]
    )
  }
}
