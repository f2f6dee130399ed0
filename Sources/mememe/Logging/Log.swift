import API
import Bytes
import Foundation
package import HTTP
import Memes

/// The severity of a log line.
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

/// Writes lines to a file descriptor, in order. Safe to use from any thread; callers never wait for the disk or for the
/// reader of a pipe.
///
/// Lines about requests are buffered for 50 milliseconds; all other lines are written at once.
package final class Log: Sendable {
  /// The maximum length of a line in bytes.
  private static let maximumBytes = 4096

  private let level: LogLevel
  private let format: LogFormat
  private let output: LogOutput

  /// - Parameter descriptor: standard output by default, where container and service logs are collected.
  package init(level: LogLevel, format: LogFormat, descriptor: Int32 = STDOUT_FILENO) {
    (self.level, self.format) = (level, format)
    output = LogOutput(descriptor: descriptor) { count in
      var bytes: [UInt8] = []
      let note = MessageEvent(.warning, "log lines dropped", [("count", .whole(count))])
      note.withLine(as: format) { bytes = Array($0) }
      return bytes
    }
  }

  /// Writes a line, unless its level is below the configured one.
  ///
  /// - Parameter fields: names and values, in order; values may hold any text.
  package func write(
    _ level: LogLevel, _ message: String, _ fields: [(name: StaticString, value: Value)] = []
  ) {
    write(MessageEvent(level, message, fields), atOnce: true)
  }

  /// The number of lines that were dropped because the reader was too slow.
  package var lostLines: Int { output.lostLines }

  /// Waits until all lines so far are written, but at most one second for the reader.
  package func flush() { output.flush(patienceMilliseconds: 1000) }

  private func write(_ event: some LogEvent, atOnce: Bool) {
    guard event.level >= level else { return }
    event.withLine(as: format) { line in
      output.append(
        UnsafeRawBufferPointer(rebasing: line.prefix(Self.maximumBytes)), atOnce: atOnce)
    }
  }

  package enum Value: Sendable {
    case text(String)
    case whole(Int)
  }
}

extension Log: AppLog {
  package var takesAccess: Bool { .info >= level }

  package func access(_ record: AccessRecord) { write(record, atOnce: false) }

  package func failure(_ cause: String, id: RequestID) {
    write(
      .error, "failure", [("id", .text(id.text)), ("cause", .text(String(cause.prefix(2048))))])
  }
}

extension Log {
  /// Logs the number of items that background work removed or added, if any, or why it failed.
  func tell(
    _ outcome: Result<Int, any Error>, _ done: String, _ what: StaticString, _ failed: String
  ) {
    switch outcome {
    case .success(0): break
    case .success(let count): write(.info, done, [(what, .whole(count))])
    case .failure(let error): write(.error, failed, [("cause", .text(error.reason))])
    }
  }

  /// Logs how many templates were added to a new server, or why that failed.
  func addedTemplates(_ outcome: Result<Int, any Error>) {
    if case .success(0) = outcome { write(.debug, "no starter templates needed", []) }
    tell(outcome, "starter templates added", "templates", "cannot add the starter templates")
  }

  /// Logs why the uses of access tokens could not be recorded.
  func notNotedUses(_ error: any Error) {
    write(.error, "cannot record the use of access tokens", [("cause", .text(error.reason))])
  }

  /// Logs why a mail was not sent, if no caller waits for the result.
  func notMailed(_ error: any Error) {
    write(.error, "cannot send mail", [("cause", .text(error.reason))])
  }

  /// Logs why a rendition was not made or not stored, if no caller gets the error.
  func notDerived(_ error: any Error) {
    write(
      .warning, "cannot create or store a rendition", [("cause", .text(error.reason))])
  }
}
