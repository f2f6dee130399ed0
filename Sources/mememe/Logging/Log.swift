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

  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }
}

/// Writes lines to a file descriptor, one after the other. Safe to use from any thread; nobody waits for the disk or for
/// who reads.
///
/// Lines about requests are gathered for a twentieth of a second; everything else goes out at once.
package final class Log: Sendable {
  /// The most bytes of a line.
  private static let maximumBytes = 4096
  /// A request's target is logged up to here.
  private static let maximumTargetCharacters = 1024
  /// So is its method, which may be anything.
  private static let maximumMethodCharacters = 32

  private let level: LogLevel
  private let format: LogFormat
  private let output: LogOutput

  /// - Parameter descriptor: standard output, where an operator's tools look for it.
  package init(level: LogLevel, format: LogFormat, descriptor: Int32 = STDOUT_FILENO) {
    (self.level, self.format) = (level, format)
    output = LogOutput(descriptor: descriptor) { count in
      LogLine(
        level: .warning, message: "lines of the log were lost", fields: [("count", .whole(count))]
      ).withBytes(as: format) { Array($0) }
    }
  }

  /// Writes a line, unless the level is too low.
  ///
  /// - Parameter fields: names and values, in order; values may hold anything.
  package func write(
    _ level: LogLevel, _ message: String, _ fields: [(name: String, value: Value)] = []
  ) {
    write(LogLine(level: level, message: message, fields: fields), atOnce: true)
  }

  /// Waits until everything so far is written, but not longer than a second for somebody to read it.
  package func flush() { output.flush(patienceMilliseconds: 1000) }

  private func write(_ line: LogLine, atOnce: Bool) {
    guard line.level >= level else { return }
    line.withBytes(as: format) { bytes in
      output.append(
        UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.maximumBytes)), atOnce: atOnce)
    }
  }

  package enum Value: Sendable {
    case text(String)
    case whole(Int)
    /// A number of thousandths.
    case thousandths(Int)
  }
}

extension Log: AppLog {
  package func access(_ record: AccessRecord) {
    guard .info >= level else { return }
    let line = LogLine(
      level: .info, message: "request",
      fields: [
        ("id", .text(record.id.text)), ("peer", .text(record.peer)),
        ("method", .text(record.method.cut(to: Self.maximumMethodCharacters))),
        ("route", .text(record.route?.pattern ?? RequestMeter.unmatched)),
        ("target", .text(record.target.cut(to: Self.maximumTargetCharacters))),
        ("status", record.status.map { .whole($0.code) } ?? .text("none")),
        ("bytes", .whole(record.bodyBytes)),
        ("milliseconds", .thousandths(Int((record.seconds * 1_000_000).rounded()))),
        ("outcome", .text(record.outcome.rawValue)),
      ])
    write(line, atOnce: false)
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

extension String {
  /// At most so many characters. What has fewer bytes has fewer characters, and bytes are counted already.
  fileprivate func cut(to count: Int) -> String {
    utf8.count > count ? String(prefix(count)) : self
  }
}
