import Bytes
import HTTP

/// The stored form of a response, for when a client repeats its request: status, header fields, an empty line, body.
///
/// The response is stored as sent, so that a later version of the server returns the same response
/// to a repeated request.
enum StoredResponse {
  static func encode(_ response: Response) -> Bytes {
    var head = "\(response.status.code)\n"
    // Neither names nor values contain a line feed.
    for field in response.headers.fields { head += "\(field.name.text): \(field.value.text)\n" }
    return Bytes(Array("\(head)\n".utf8) + response.body.withUnsafeBytes { Array($0) })
  }

  /// - Throws: `internalError` if the bytes are not in the form that ``encode(_:)`` writes.
  static func decode(_ bytes: Bytes) throws(Problem) -> Response {
    guard let (head, body) = split(bytes), let status = head.first.flatMap({ Int($0) }) else {
      throw Problem(.internalError, cause: "a stored response is corrupt")
    }
    var response = Response(Status(status), body: body)
    for line in head.dropFirst() {
      // Search by bytes: a combining mark at the start of the value would form one character with the space.
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")),
        let name = HeaderName(String(line[..<colon])),
        let value = HeaderValue(String(Substring(line.utf8[colon...].dropFirst(2))))
      else { throw Problem(.internalError, cause: "a stored response is corrupt") }
      response.headers.append(name, value)
    }
    return response
  }

  private static func split(_ bytes: Bytes) -> (head: [Substring], body: Bytes)? {
    let end = bytes.withUnsafeBytes { $0.firstRange(of: Array("\n\n".utf8))?.lowerBound }
    guard let end, let head = bytes.slice(0..<end)?.utf8Text,
      let body = bytes.slice(end + 2..<bytes.count)
    else { return nil }
    return (head.split(separator: "\n"), body)
  }
}
