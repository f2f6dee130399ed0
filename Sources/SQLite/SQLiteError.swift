import CSQLite
import Foundation

/// An error of SQLite, or of decoding its results.
///
/// The message may contain SQL and paths. Log it, but never send it to a client.
package struct SQLiteError: Error, Equatable {
  /// The kind of failure, for `catch` clauses.
  package let code: Code
  /// The exact failure, such as 1555 for an existing primary key; equal to `code` if SQLite reports no exact one.
  package let extendedCode: Int32
  package let message: String
  /// The underlying error number of the system, such as ENOSPC; 0 if none is known.
  package let systemError: Int32

  package init(_ code: Code, _ message: String) { self.init(code, message, systemError: 0) }

  init(_ code: Code, _ message: String, systemError: Int32) {
    self.init(
      code: code, extendedCode: code.rawValue, message: message, systemError: systemError)
  }

  /// The primary result codes (https://sqlite.org/rescode.html) that callers distinguish.
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
    /// The work took too long, or was canceled.
    package static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
    /// A column holds another type than the caller requested.
    package static let mismatch = Code(rawValue: SQLITE_MISMATCH)
    package static let misuse = Code(rawValue: SQLITE_MISUSE)
    package static let noMemory = Code(rawValue: SQLITE_NOMEM)
    package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
    /// The statement has no such parameter or column.
    package static let range = Code(rawValue: SQLITE_RANGE)
    package static let readOnly = Code(rawValue: SQLITE_READONLY)
  }
}

extension SQLiteError {
  /// The failure of the last call on `database`, which returned `result`.
  init(_ result: Int32, in database: OpaquePointer?) {
    // Read this first, before another call changes it. sqlite3_system_errno() does not report why a COMMIT failed.
    let systemError = errno
    let extended = database.map(sqlite3_extended_errcode) ?? result
    // Some calls fail before they reach the connection. Its last error is then an older one.
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

  /// Clears `errno`. Call this before an SQLite call that may fail. Not every failure involves a system call, and
  /// `errno` could then be an unrelated one from earlier on this thread.
  static func forgetSystemError() { errno = 0 }

  /// SQLITE_IOERR_SHORT_READ, a macro that Swift does not import. No system call failed; the file is too short.
  private static let inputOutputShortRead = SQLITE_IOERR | 2 << 8

  private init(code: Code, extendedCode: Int32, message: String, systemError: Int32) {
    (self.code, self.extendedCode, self.message) = (code, extendedCode, message)
    self.systemError = systemError
  }

  /// Whether the disk, or the quota on it, is full.
  package var isDiskFull: Bool {
    // SQLite reports SQLITE_FULL only if a write fails with ENOSPC. A sync may fail with it too.
    code == .full || systemError == ENOSPC || systemError == EDQUOT
  }

  /// Whether the process currently has no more file descriptors or memory.
  package var isOutOfResources: Bool {
    code == .noMemory || [EMFILE, ENFILE, ENOMEM].contains(systemError)
  }
}

extension SQLiteError {
  /// Keeps an SQLite error unchanged. Any other error, which is not expected here, provides only its text.
  package init(_ error: any Error) {
    self = error as? SQLiteError ?? SQLiteError(.misuse, "\(error)")
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    let cause = systemError == 0 ? "" : " (\(String(cString: strerror(systemError))))"
    return "SQLite error \(extendedCode): \(message)\(cause)"
  }
}
