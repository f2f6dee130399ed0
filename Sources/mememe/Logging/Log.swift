import API
import Bytes
import Foundation
package import HTTP
import Memes

/// How much is logged.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case debug, info, warning, error

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// How a line of the log is written.
package enum LogFormat: String, CaseIterable, Sendable { case text, json }

/// Writes lines to a file descriptor, each in one piece. Safe to use from any thread.
package struct Log: Sendable {
  private let level: LogLevel
  private let format: LogFormat
  private let descriptor: Int32

  /// - Parameter descriptor: standard output, where an operator's tools look for it.
  package init(level: LogLevel, format: LogFormat, descriptor: Int32 = STDOUT_FILENO) {
    (self.level, self.format, self.descriptor) = (level, format, descriptor)
  }

  /// Writes a line, unless the level is too low.
  ///
  /// - Parameter fields: names and values, in order; values may hold anything.
  package func write(
    _ level: LogLevel, _ message: String, _ fields: [(name: String, value: Value)] = []
  ) {
    guard level >= self.level else { return }
    let line = format == .json ? json(level, message, fields) : text(level, message, fields)
    line.withUnsafeBytes { line in
      // A log that nobody takes must not stop the server: what does not go out is lost.
      _ = Foundation.write(descriptor, line.baseAddress, line.count)
    }
  }

  package enum Value: Sendable {
    case text(String)
    case whole(Int)
    case decimal(Double)
  }

  private func json(
    _ level: LogLevel, _ message: String, _ fields: [(name: String, value: Value)]
  ) -> [UInt8] {
    var json = JSONWriter(capacity: 256)
    json.object { json in
      json.member("time", Timestamp.now().description)
      json.member("level", level.rawValue)
      json.member("message", message)
      for (name, value) in fields {
        switch value {
        case .text(let text): json.member(name, text)
        case .whole(let number): json.member(name, number)
        case .decimal(let number): json.member(name, number)
        }
      }
    }
    return json.finish().withUnsafeBytes { Array($0) } + [0x0A]
  }

  private func text(
    _ level: LogLevel, _ message: String, _ fields: [(name: String, value: Value)]
  ) -> [UInt8] {
    var line = "\(Timestamp.now()) \(level.rawValue) \(message)"
    for (name, value) in fields {
      switch value {
      case .text(let text): line += " \(name)=\(Self.quoted(text))"
      case .whole(let number): line += " \(name)=\(number)"
      case .decimal(let number): line += " \(name)=\(number)"
      }
    }
    return Array(line.utf8) + [0x0A]
  }

  /// A value that could be mistaken for more than one, or for another line, is quoted and escaped.
  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3D }
    return isPlain ? text : text.debugDescription
  }
}

extension Log: AppLog {
  package func access(_ record: AccessRecord) {
    write(
      .info, "request",
      [
        ("id", .text(record.id.text)), ("peer", .text(record.peer)),
        ("method", .text(record.method)), ("target", .text(record.target)),
        ("status", record.status.map { .whole($0.code) } ?? .text("none")),
        ("bytes", .whole(record.bodyBytes)),
        ("milliseconds", .decimal((record.seconds * 1_000_000).rounded() / 1000)),
        ("outcome", .text(record.outcome.rawValue)),
      ])
  }

  package func failure(_ error: any Error, id: RequestID) {
    write(.error, "failure", [("id", .text(id.text)), ("error", .text(String(reflecting: error)))])
  }
}
