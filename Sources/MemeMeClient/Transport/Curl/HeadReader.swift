#if os(Linux)
  import Foundation

  /// Parses header lines up to the end of the final response head (RFC 9112 §2, RFC 9110 §15.2).
  struct HeadReader {
    struct Failure: Error {}

    /// The maximum size of all heads together.
    private static let mostBytes = 256 << 10

    private var bytes = 0
    private var status: Int?
    private var fields: [(name: String, value: String)] = []

    /// Parses a line, including its line ending.
    ///
    /// - Returns: The head if the line completes it. Interim responses are skipped.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(Failure) -> AnswerHead? {
      bytes += line.count
      guard bytes <= Self.mostBytes else { throw Failure() }
      let text = String(decoding: line, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      guard let status else {
        status = try Self.status(text)
        return nil
      }
      if text.isEmpty {
        defer { (self.status, fields) = (nil, []) }
        return status < 200 ? nil : AnswerHead(status: status, fields: fields)
      }
      if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
        // A line that continues the previous field (RFC 9112 §5.2).
        guard let field = fields.popLast() else { throw Failure() }
        fields.append((field.name, "\(field.value) \(text)"))
      } else if let colon = text.firstIndex(of: ":") {
        let value = text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
        fields.append((String(text[..<colon]), value))
      }
      return nil
    }

    /// `HTTP/1.1 200 OK`
    private static func status(_ line: String) throws(Failure) -> Int {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]),
        (100...999).contains(status)
      else { throw Failure() }
      return status
    }
  }
#endif
