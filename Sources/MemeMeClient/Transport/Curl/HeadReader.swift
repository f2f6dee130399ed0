#if os(Linux)
  import Foundation

  /// Reads the lines of heads, up to the end of the one that is the answer's (RFC 9112 §2, §15.2 of RFC 9110).
  struct HeadReader {
    struct Failure: Error {}

    /// All fields of all heads together.
    private static let mostBytes = 256 << 10

    private var bytes = 0
    private var status: Int?
    private var fields: [(name: String, value: String)] = []

    /// Takes a line with its end.
    ///
    /// - Returns: the head that it ends, unless another one is to come.
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
        // A line that goes on with the one before (RFC 9112 §5.2).
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
