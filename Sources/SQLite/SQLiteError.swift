import CSQLite
import Foundation

/// What SQLite, or the decoding of what it returned, refused to do.
///
/// The message may hold SQL and paths: it is for the log, never for a client.
package struct SQLiteError: Error, Equatable {
  /// The kind of failure: what `catch` clauses look at.
  package let code: Code
  /// The exact failure, such as 1555 for a primary key that exists; equal to `code` where there is none.
  package let extendedCode: Int32
  package let message: String
  /// The system's error number behind it, such as ENOSPC; 0 where there is none.
  package let systemError: Int32

  package init(_ code: Code, _ message: String) { self.init(code, message, systemError: 0) }

  init(_ code: Code, _ message: String, systemError: Int32) {
    self.init(
      code: code, extendedCode: code.rawValue, message: message, systemError: systemError)
  }

  /// The primary result codes (https://sqlite.org/rescode.html) that somebody tells apart.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let busy = Code(rawValue: SQLITE_BUSY)
    package static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    package static let error = Code(rawValue: SQLITE_ERROR)
    package static let full = Code(rawValue: SQLITE_FULL)
    package static let inputOutput = Code(rawValue: SQLITE_IOERR)
    /// It took longer than it may.
    package static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
    /// A column holds another type than the one that was asked for.
    package static let mismatch = Code(rawValue: SQLITE_MISMATCH)
    package static let misuse = Code(rawValue: SQLITE_MISUSE)
    package static let noMemory = Code(rawValue: SQLITE_NOMEM)
    package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
    /// A parameter or a column that the statement does not have.
    package static let range = Code(rawValue: SQLITE_RANGE)
    package static let readOnly = Code(rawValue: SQLITE_READONLY)
  }
}

extension SQLiteError {
  /// The failure of the last call on `database`, which returned `result`.
  init(_ result: Int32, in database: OpaquePointer?) {
    // First of all, before another call changes it. sqlite3_system_errno() does not tell why a COMMIT failed.
    let systemError = errno
    let extended = database.map(sqlite3_extended_errcode) ?? result
    // Some calls fail before they reach the connection, whose last error is then an older one.
    let isOfThisCall = extended & 0xFF == result & 0xFF
    let code = Code(rawValue: result & 0xFF)
    let exact = isOfThisCall ? extended : result
    let isOfTheSystem =
      [.inputOutput, .cannotOpen].contains(code) && exact != Self.inputOutputShortRead
    self.init(
      code: code, extendedCode: exact,
      message: String(cString: isOfThisCall ? sqlite3_errmsg(database) : sqlite3_errstr(result)),
      systemError: isOfTheSystem ? systemError : 0)
  }

  /// Call this before what may fail: not every failure has a call of the system behind it, and then `errno` is what somebody else
  /// left on this thread.
  static func forgetSystemError() { errno = 0 }

  /// SQLITE_IOERR_SHORT_READ, a macro that Swift does not import: no call failed, the file is too short.
  private static let inputOutputShortRead = SQLITE_IOERR | 2 << 8

  private init(code: Code, extendedCode: Int32, message: String, systemError: Int32) {
    (self.code, self.extendedCode, self.message) = (code, extendedCode, message)
    self.systemError = systemError
  }

  /// Whether there is no room: the disk is full, or the quota on it.
  package var isForWantOfDisk: Bool {
    // What finds no room is told as SQLITE_FULL only where a write says ENOSPC; a sync may say it too.
    code == .full || systemError == ENOSPC || systemError == EDQUOT
  }

  /// Whether there are no more open files, or no memory, now.
  package var isForWantOfMeans: Bool {
    code == .noMemory || [EMFILE, ENFILE, ENOMEM].contains(systemError)
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    let cause = systemError == 0 ? "" : " (\(String(cString: strerror(systemError))))"
    return "SQLite error \(extendedCode): \(message)\(cause)"
  }
}

/// An error of the domain that can say that the store failed.
///
/// A transaction throws one type of error. What SQLite refuses, `BEGIN` and `COMMIT` included, is turned into it here,
/// so that the naming of storage failures happens in the one place where the type conforms.
package protocol SQLiteFailure: Error {
  init(_ error: SQLiteError)
}

extension SQLiteError: SQLiteFailure {
  package init(_ error: SQLiteError) { self = error }
}

/// Runs `body`, whose failures become the domain's.
func named<Value, Failure: SQLiteFailure>(
  _ failure: Failure.Type, _ body: () throws(SQLiteError) -> Value
) throws(Failure) -> Value {
  do throws(SQLiteError) { return try body() } catch { throw Failure(error) }
}
