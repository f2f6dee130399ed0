import Wire

/// An HTTP/1.1 request or response as it was received: its head, and a body with a length or in chunks.
struct HTTPMessage {
  let bytes: [UInt8]

  /// Reads a message from a connection.
  ///
  /// - Parameters:
  ///   - rest: the bytes that were received after the previous message. Gets the bytes after this message.
  ///   - isBodiless: whether a response has no body, whatever its head says.
  ///   - interim: called if a request waits for permission to send its body.
  /// - Returns: `nil` if the connection ends before the message is complete.
  init?(
    from socket: WireSocket, _ rest: inout [UInt8], isBodiless: Bool = false,
    interim: () -> Void = {}
  ) {
    while rest.firstRange(of: Self.blankLine) == nil {
      guard rest.count < 64 << 10, let more = socket.received() else { return nil }
      rest += more
    }
    guard let end = rest.firstRange(of: Self.blankLine) else { return nil }
    var lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
      .split(separator: "\r\n").map(String.init)
    let isWaiting = lines.contains { $0.lowercased() == "expect: 100-continue" }
    lines.removeAll { $0.lowercased() == "expect: 100-continue" }
    if isWaiting { interim() }
    var body = Array(rest[end.upperBound...])
    let fields = lines.map { $0.lowercased() }
    var count = isBodiless || Self.hasNoBody(fields.first ?? "") ? 0 : nil as Int?
    if count == nil, fields.contains("transfer-encoding: chunked") {
      count = Self.chunkedCount(body)
      while count == nil {
        guard let more = socket.received() else { return nil }
        body += more
        count = Self.chunkedCount(body)
      }
    }
    let length = fields.first { $0.hasPrefix("content-length:") }?
      .drop { !$0.isNumber }
    let wanted = count ?? length.flatMap { Int($0) } ?? 0
    while body.count < wanted {
      guard let more = socket.received() else { return nil }
      body += more
    }
    bytes = Array("\(lines.joined(separator: "\r\n"))\r\n\r\n".utf8) + body[..<wanted]
    rest = Array(body[wanted...])
  }

  var isToHead: Bool { bytes.starts(with: Array("HEAD ".utf8)) }

  /// The first line and the fields.
  var head: String {
    let end = bytes.firstRange(of: Self.blankLine)?.lowerBound ?? bytes.endIndex
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// `GET /memes`, without a query.
  var name: String {
    String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ").prefix(2)
      .joined(separator: " ").prefix { $0 != "?" }.description
  }

  /// The name and, for a new meme, its id, which is not in the path.
  var subject: String {
    let field = Array("name=\"id\"\r\n\r\n".utf8)
    // After the picture or before it.
    for part in [bytes.prefix(2048), bytes.suffix(2048)] where name == "POST /memes" {
      guard let start = part.firstRange(of: field)?.upperBound else { continue }
      return "\(name) of \(String(decoding: part[start...].prefix(36), as: UTF8.self))"
    }
    return name
  }

  /// The status of a response.
  var status: String { String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self) }

  private static let blankLine = Array("\r\n\r\n".utf8)

  /// RFC 9112 §6.3.
  private static func hasNoBody(_ line: String) -> Bool {
    line.hasPrefix("http/1.1 1") || line.hasPrefix("http/1.1 204") || line.hasPrefix("http/1.1 304")
  }

  /// The number of bytes of a chunked body with its framing, or `nil` if its end has not arrived yet.
  private static func chunkedCount(_ bytes: [UInt8]) -> Int? {
    var place = 0
    while let line = bytes[place...].firstRange(of: Array("\r\n".utf8)) {
      let digits = bytes[place..<line.lowerBound].prefix { $0 != UInt8(ascii: ";") }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
      if size == 0 {
        // Neither the clients nor the server send trailers.
        return bytes.count >= line.upperBound + 2 ? line.upperBound + 2 : nil
      }
      place = line.upperBound + size + 2
      guard place <= bytes.count else { return nil }
    }
    return nil
  }
}
