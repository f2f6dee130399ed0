import Wire

/// A request or an answer of HTTP/1.1 as it came: its head, and a body with a length or in chunks.
struct HTTPMessage {
  let bytes: [UInt8]

  /// Reads one from a connection.
  ///
  /// - Parameters:
  ///   - rest: what came before and was not of the message before; gets what came behind this one.
  ///   - isBodiless: whether an answer has no body whatever its head says.
  ///   - interim: is called where a request waits for leave to send its body.
  /// - Returns: `nil` where the connection ends within it, or before.
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

  /// `GET /memes`, without a query.
  var name: String {
    String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ").prefix(2)
      .joined(separator: " ").prefix { $0 != "?" }.description
  }

  /// The name, and the meme that a new one is to be: its path does not say it.
  var subject: String {
    let field = Array("name=\"id\"\r\n\r\n".utf8)
    // Behind the picture or before it.
    for part in [bytes.prefix(2048), bytes.suffix(2048)] where name == "POST /memes" {
      guard let start = part.firstRange(of: field)?.upperBound else { continue }
      return "\(name) of \(String(decoding: part[start...].prefix(36), as: UTF8.self))"
    }
    return name
  }

  /// The status of an answer.
  var status: String { String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self) }

  private static let blankLine = Array("\r\n\r\n".utf8)

  /// RFC 9112 §6.3.
  private static func hasNoBody(_ line: String) -> Bool {
    line.hasPrefix("http/1.1 1") || line.hasPrefix("http/1.1 204") || line.hasPrefix("http/1.1 304")
  }

  /// How many bytes a body in chunks has, with what is between them; `nil` where its end has not come yet.
  private static func chunkedCount(_ bytes: [UInt8]) -> Int? {
    var place = 0
    while let line = bytes[place...].firstRange(of: Array("\r\n".utf8)) {
      let digits = bytes[place..<line.lowerBound].prefix { $0 != UInt8(ascii: ";") }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
      if size == 0 {
        // No trailers are sent by whom this stands between.
        return bytes.count >= line.upperBound + 2 ? line.upperBound + 2 : nil
      }
      place = line.upperBound + size + 2
      guard place <= bytes.count else { return nil }
    }
    return nil
  }
}
