import API
import HTTP

/// An event that is logged as one line.
protocol LogEvent {
  var level: LogLevel { get }
  var message: String { get }

  /// Adds the names and values of the event to the line.
  func describe<Line: LogLine & ~Copyable>(to line: inout Line)
}

extension LogEvent {
  /// Calls `body` with the line without the newline at its end. The buffer is valid during the call only.
  func withLine(as format: LogFormat, _ body: (UnsafeRawBufferPointer) -> Void) {
    switch format {
    case .text: withLine(TextLine(level, message), body)
    case .json: withLine(JSONLine(level, message), body)
    }
  }

  private func withLine<Line: LogLine & ~Copyable>(
    _ line: consuming Line, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    describe(to: &line)
    line.finish(body)
  }
}

/// Any event that is not a request.
struct MessageEvent: LogEvent {
  let level: LogLevel
  let message: String
  private let fields: [(name: StaticString, value: Log.Value)]

  init(
    _ level: LogLevel, _ message: String, _ fields: [(name: StaticString, value: Log.Value)]
  ) {
    (self.level, self.message, self.fields) = (level, message, fields)
  }

  func describe<Line: LogLine & ~Copyable>(to line: inout Line) {
    for (name, value) in fields {
      switch value {
      case .text(let text): line.add(name, text)
      case .whole(let number): line.add(name, number)
      }
    }
  }
}

/// A request. It is written directly into its line, because there is one for every request.
extension AccessRecord: LogEvent {
  /// The maximum length of a logged target.
  private static let maximumTargetCharacters = 1024
  /// The maximum length of a logged method, which may be any text.
  private static let maximumMethodCharacters = 32

  var level: LogLevel { .info }
  var message: String { "request" }

  func describe<Line: LogLine & ~Copyable>(to line: inout Line) {
    line.add("id", id.text)
    line.add("peer", peer)
    line.add("method", method.cut(to: Self.maximumMethodCharacters))
    line.add("route", route?.pattern ?? RequestMeter.unmatched)
    line.add("target", target.cut(to: Self.maximumTargetCharacters))
    if let status { line.add("status", status.code) } else { line.add("status", "none") }
    line.add("bytes", bodyBytes)
    line.add("milliseconds", thousandths: Int((seconds * 1_000_000).rounded()))
    line.add("outcome", outcome.rawValue)
  }
}

extension String {
  /// At most `count` characters. A string has no more characters than UTF-8 bytes, and counting the bytes is cheap.
  fileprivate func cut(to count: Int) -> String {
    utf8.count > count ? String(prefix(count)) : self
  }
}
