import Bytes
import HTTP
import Memes

/// The format of log lines.
package enum LogFormat: String, CaseIterable, Sendable { case text, json }

/// One log line: the time, the level, the message, then named values, which may hold any text.
protocol LogLine: ~Copyable {
  init(_ level: LogLevel, _ message: String)

  mutating func add(_ name: StaticString, _ text: String)
  mutating func add(_ name: StaticString, _ number: Int)
  mutating func add(_ name: StaticString, thousandths number: Int)

  /// Calls `body` with the whole line without the newline at its end. The buffer is valid during the call only.
  consuming func finish(_ body: (UnsafeRawBufferPointer) -> Void)
}

/// `2026-11-21T08:05:00.123Z info the message name=value another="a value"`
struct TextLine: ~Copyable, LogLine {
  private var line = ByteWriter(capacity: 512)

  init(_ level: LogLevel, _ message: String) {
    line.append(Timestamp.now().description)
    line.append(UInt8(ascii: " "))
    line.append(level.rawValue)
    line.append(UInt8(ascii: " "))
    line.append(message)
  }

  mutating func add(_ name: StaticString, _ text: String) {
    begin(name)
    let (isPlain, isItself) = text.withUTF8Bytes(Self.look)
    if isPlain { return line.append(text) }
    // Most quoted values are targets with a query, which need no escaping.
    guard isItself else { return line.append(text.debugDescription) }
    line.append(UInt8(ascii: "\""))
    line.append(text)
    line.append(UInt8(ascii: "\""))
  }

  mutating func add(_ name: StaticString, _ number: Int) {
    begin(name)
    line.append(number)
  }

  mutating func add(_ name: StaticString, thousandths number: Int) {
    add(name, number / 1000)
    line.append(UInt8(ascii: "."))
    for unit in [100, 10, 1] {
      line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
    }
  }

  consuming func finish(_ body: (UnsafeRawBufferPointer) -> Void) { line.withUnsafeBytes(body) }

  private mutating func begin(_ name: StaticString) {
    name.withUTF8Buffer { name in
      line.append(count: name.count + 2) { memory in
        memory[0] = UInt8(ascii: " ")
        UnsafeMutableRawBufferPointer(rebasing: memory[1...]).copyMemory(
          from: UnsafeRawBufferPointer(name))
        memory[name.count + 1] = UInt8(ascii: "=")
      }
    }
  }

  /// Whether a value is unambiguous without quotes, and whether it needs no escaping between quotes.
  private static func look(at text: UnsafeBufferPointer<UInt8>) -> (isPlain: Bool, isItself: Bool) {
    var (isPlain, isItself) = (!text.isEmpty, true)
    for byte in text {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "="): isPlain = false
      case UInt8(ascii: "\\"): isItself = false
      case 0x21...0x7E where byte != UInt8(ascii: "\""): break
      default: return (false, false)
      }
    }
    return (isPlain, isItself)
  }
}

/// `{"time":"2026-11-21T08:05:00.123Z","level":"info","message":"the message","name":"value"}`
struct JSONLine: ~Copyable, LogLine {
  private var line = JSONWriter(capacity: 512)

  init(_ level: LogLevel, _ message: String) {
    line.beginObject()
    line.member("time", Timestamp.now().description)
    line.member("level", level.rawValue)
    line.member("message", message)
  }

  mutating func add(_ name: StaticString, _ text: String) { line.member(name, text) }

  mutating func add(_ name: StaticString, _ number: Int) { line.member(name, number) }

  mutating func add(_ name: StaticString, thousandths number: Int) {
    line.member(name, Double(number) / 1000)
  }

  consuming func finish(_ body: (UnsafeRawBufferPointer) -> Void) {
    line.endObject()
    line.withUnsafeBytes(body)
  }
}
