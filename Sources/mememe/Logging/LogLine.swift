import Bytes
import HTTP
import Memes

/// How a line of the log is written.
package enum LogFormat: String, CaseIterable, Sendable { case text, json }

/// One line of the log: the time, the level, the message, then named values, which may hold anything.
struct LogLine {
  let level: LogLevel
  let message: String
  let fields: [(name: String, value: Log.Value)]

  /// What most lines need.
  private static let capacity = 512

  /// Calls `body` with the line without the newline at its end, valid during the call only.
  func withBytes<Result>(as format: LogFormat, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
  {
    switch format {
    case .text: text().withUnsafeBytes(body)
    case .json: json().withUnsafeBytes(body)
    }
  }

  private func json() -> JSONWriter {
    var json = JSONWriter(capacity: Self.capacity)
    json.object { json in
      json.member("time", Timestamp.now().description)
      json.member("level", level.rawValue)
      json.member("message", message)
      for (name, value) in fields {
        switch value {
        case .text(let text): json.member(name, text)
        case .whole(let number): json.member(name, number)
        case .thousandths(let number): json.member(name, Double(number) / 1000)
        }
      }
    }
    return json
  }

  private func text() -> ByteWriter {
    var line = ByteWriter(capacity: Self.capacity)
    line.append(Timestamp.now().description)
    line.append(UInt8(ascii: " "))
    line.append(level.rawValue)
    line.append(UInt8(ascii: " "))
    line.append(message)
    for (name, value) in fields {
      line.append(UInt8(ascii: " "))
      line.append(name)
      line.append(UInt8(ascii: "="))
      switch value {
      case .text(let text): Self.append(text, to: &line)
      case .whole(let number): line.append(number)
      case .thousandths(let number):
        line.append(number / 1000)
        line.append(UInt8(ascii: "."))
        for unit in [100, 10, 1] {
          line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
        }
      }
    }
    return line
  }

  /// A value that could be mistaken for more than one, or for another line, is quoted and escaped.
  private static func append(_ text: String, to line: inout ByteWriter) {
    var (isPlain, isItself) = (!text.isEmpty, true)
    text.withUTF8Bytes { bytes in
      for byte in bytes {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "="): isPlain = false
        case UInt8(ascii: "\\"): isItself = false
        case 0x21...0x7E where byte != UInt8(ascii: "\""): break
        default: (isPlain, isItself) = (false, false)
        }
      }
    }
    if isPlain { return line.append(text) }
    // Most of what is quoted is a target with a query, where nothing has to be escaped.
    guard isItself else { return line.append(text.debugDescription) }
    line.append(UInt8(ascii: "\""))
    line.append(text)
    line.append(UInt8(ascii: "\""))
  }
}
