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

  /// The line without the newline at its end.
  func encoded(as format: LogFormat) -> Bytes {
    switch format {
    case .text: text()
    case .json: json()
    }
  }

  private func json() -> Bytes {
    var json = JSONWriter(capacity: 384)
    json.object { json in
      json.member("time", Timestamp.now().description)
      json.member("level", level.rawValue)
      json.member("message", message)
      for (name, value) in fields {
        json.name(escaping: name)
        switch value {
        case .text(let text): json.value(text)
        case .whole(let number): json.value(number)
        case .decimal(let number): json.value(number)
        }
      }
    }
    return json.finish()
  }

  private func text() -> Bytes {
    var line = ByteWriter(capacity: 384)
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
      case .text(let text): line.append(Self.isPlain(text) ? text : text.debugDescription)
      case .whole(let number): line.append(number)
      case .decimal(let number): line.append(number.description)
      }
    }
    return line.finish()
  }

  /// A value that could be mistaken for more than one, or for another line, is quoted and escaped.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3D }
  }
}
