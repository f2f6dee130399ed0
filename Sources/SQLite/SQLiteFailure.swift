import CSQLite
import Foundation
import SQL

extension DatabaseError {
  /// The failure of the last call on `database`, which returned `result`.
  init(_ result: Int32, in database: OpaquePointer?) {
    // Read this first, before another call changes it. sqlite3_system_errno() does not report why a COMMIT failed.
    let systemError = errno
    let extended = database.map(sqlite3_extended_errcode) ?? result
    // Some calls fail before they reach the connection. Its last error is then an older one.
    let isOfThisCall = extended & 0xFF == result & 0xFF
    let exact = isOfThisCall ? extended : result
    let isOfTheSystem =
      [SQLITE_IOERR, SQLITE_CANTOPEN].contains(result & 0xFF) && exact != Self.inputOutputShortRead
    self.init(
      Code(sqlite: result),
      String(cString: isOfThisCall ? sqlite3_errmsg(database) : sqlite3_errstr(result)),
      engineCode: "SQLite error \(exact)", systemError: isOfTheSystem ? systemError : 0)
  }

  /// Clears `errno`. Call this before an SQLite call that may fail. Not every failure involves a system call, and
  /// `errno` could then be an unrelated one from earlier on this thread.
  static func forgetSystemError() { errno = 0 }

  /// SQLITE_IOERR_SHORT_READ, a macro that Swift does not import. No system call failed; the file is too short.
  private static let inputOutputShortRead = SQLITE_IOERR | 2 << 8
}

extension DatabaseError.Code {
  /// The kind of a result code (https://sqlite.org/rescode.html).
  fileprivate init(sqlite result: Int32) {
    self =
      switch result & 0xFF {
      case SQLITE_BUSY: .busy
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_CONSTRAINT: .constraint
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_FULL: .full
      case SQLITE_IOERR: .inputOutput
      case SQLITE_INTERRUPT: .interrupted
      case SQLITE_MISMATCH: .mismatch
      case SQLITE_MISUSE: .misuse
      case SQLITE_NOMEM: .noMemory
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_RANGE: .range
      case SQLITE_READONLY: .readOnly
      default: .other
      }
  }
}
