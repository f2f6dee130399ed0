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

  private let level: LogLevel
  private let format: LogFormat
  private let output: LogOutput

  /// - Parameter descriptor: standard output, where an operator's tools look for it.
  package init(level: LogLevel, format: LogFormat, descriptor: Int32 = STDOUT_FILENO) {
    (self.level, self.format) = (level, format)
    output = LogOutput(descriptor: descriptor) { count in
      var bytes: [UInt8] = []
      let note = Note(.warning, "lines of the log were lost", [("count", .whole(count))])
      note.withLine(as: format) { bytes = Array($0) }
      return bytes
    }
  }

  /// Writes a line, unless the level is too low.
  ///
  /// - Parameter fields: names and values, in order; values may hold anything.
  package func write(
    _ level: LogLevel, _ message: String, _ fields: [(name: StaticString, value: Value)] = []
  ) {
    write(Note(level, message, fields), atOnce: true)
  }

  /// How many lines were lost because nobody took them.
  package var lostLines: Int { output.lostLines }

  /// Waits until everything so far is written, but not longer than a second for somebody to read it.
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
  /// Tells what came of emptying the trash, where there was anything to do.
  func purged(_ outcome: Result<Int, MemeError>) {
    tell(outcome, "trash emptied", "memes", "the trash was not emptied")
  }

  /// Tells what came of removing uploads that have expired, where there were any.
  func purgedUploads(_ outcome: Result<Int, MemeError>) {
    tell(outcome, "expired uploads removed", "uploads", "expired uploads were not removed")
  }

  /// Tells what came of forgetting what was deleted long ago, where there was any.
  func prunedTombstones(_ outcome: Result<Int, MemeError>) {
    tell(
      outcome, "memes forgotten that were deleted long ago", "memes",
      "memes that were deleted long ago were not forgotten")
  }

  /// Tells what came of removing sessions that are over, where there were any.
  func purgedSessions(_ outcome: Result<Int, MemeError>) {
    tell(outcome, "sessions that are over removed", "sessions", "sessions were not removed")
  }

  /// Tells what came of removing links to choose a new password by that are over, where there were any.
  func purgedResets(_ outcome: Result<Int, MemeError>) {
    tell(
      outcome, "password resets that are over removed", "resets", "password resets were not removed"
    )
  }

  /// Tells what came of giving words to what was made before anything could be searched for, where there was any.
  func filledWords(_ outcome: Result<Int, MemeError>) {
    tell(
      outcome, "what was made before can be searched for", "count",
      "what was made before cannot be searched for yet")
  }

  /// Tells what came of removing old notifications, where there were any.
  func purgedNotifications(_ outcome: Result<Int, MemeError>) {
    tell(
      outcome, "old notifications removed", "notifications", "old notifications were not removed")
  }

  /// Tells why somebody was not told by mail what they should be, where nobody waits to hear that.
  func notMailed(_ error: MemeError) {
    write(.error, "a mail was not sent", [("cause", .text(error.reason))])
  }

  /// Tells what came of removing the files of people who left, where there were any.
  func discarded(_ outcome: Result<Int, MemeError>) {
    tell(outcome, "files of people who left removed", "files", "files were not removed")
  }

  private func tell(
    _ outcome: Result<Int, MemeError>, _ done: String, _ what: StaticString, _ failed: String
  ) {
    switch outcome {
    case .success(0): break
    case .success(let count): write(.info, done, [(what, .whole(count))])
    case .failure(let error): write(.error, failed, [("cause", .text(error.reason))])
    }
  }

  /// Tells why a derived picture was not made or kept where nobody who asked was told.
  func notDerived(_ error: MemeError) {
    write(
      .warning, "a derived picture was not made or not kept", [("cause", .text(error.reason))])
  }
}
