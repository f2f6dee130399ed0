/// An answer as it came over the wire.
package struct WireResponse: Sendable {
  package let status: Int
  /// Names in lower case, in the order in which they came.
  package let headers: [(name: String, value: String)]
  package var body: [UInt8] = []

  init(head: String) throws {
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0",
      let status = Int(words[1])
    else { throw WireClient.Failure(description: "not a status line: \(head.prefix(80))") }
    self.status = status
    headers = try lines.dropFirst().map { line in
      guard let colon = line.firstIndex(of: ":") else {
        throw WireClient.Failure(description: "not a header field: \(line)")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (line[..<colon].lowercased(), String(value))
    }
  }

  /// The value of the first field of this name, which is in lower case.
  package subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  package var contentLength: Int? { self["content-length"].flatMap(Int.init) }

  package var text: String { String(decoding: body, as: UTF8.self) }
}
