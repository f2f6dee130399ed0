import API
import Bytes
import Foundation
package import HTTP
import Memes
import Synchronization

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

/// Writes lines to a file descriptor, one after the other. Safe to use from any thread.
///
/// A log that nobody takes must not stop the server: a line that does not go out at once is lost.
package final class Log: Sendable {
  /// What a pipe that is ready takes without waiting (POSIX, PIPE_BUF: at least 512; 4096 on Linux).
  private static let maximumBytes = 4096
  /// A request's target is logged up to here.
  private static let maximumTargetCharacters = 1024
  /// So is its method, which may be anything.
  private static let maximumMethodCharacters = 32

  private let level: LogLevel
  private let format: LogFormat
  private let descriptor: Int32
  /// Lines must not mix.
  private let turn = Mutex(())

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
    turn.withLock { _ in
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&state, 1, 0) > 0 else { return }
      line.prefix(Self.maximumBytes).withUnsafeBytes {
        _ = Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
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
        ("method", .text(String(record.method.prefix(Self.maximumMethodCharacters)))),
        ("route", .text(record.route?.pattern ?? RequestMeter.unmatched)),
        ("target", .text(String(record.target.prefix(Self.maximumTargetCharacters)))),
        ("status", record.status.map { .whole($0.code) } ?? .text("none")),
        ("bytes", .whole(record.bodyBytes)),
        ("milliseconds", .decimal((record.seconds * 1_000_000).rounded() / 1000)),
        ("outcome", .text(record.outcome.rawValue)),
      ])
  }

  package func failure(_ cause: String, id: RequestID) {
    write(
      .error, "failure", [("id", .text(id.text)), ("cause", .text(String(cause.prefix(2048))))])
  }
}

extension Log {
  /// Tells what came of emptying the trash, where there was anything to do.
  func purged(_ outcome: Result<Int, MemeError>) {
    switch outcome {
    case .success(0): break
    case .success(let count): write(.info, "trash emptied", [("memes", .whole(count))])
    case .failure(let error):
      write(.error, "the trash was not emptied", [("cause", .text(error.reason))])
    }
  }
}
