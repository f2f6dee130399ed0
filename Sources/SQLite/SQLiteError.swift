import CSQLite

/// What SQLite, or the decoding of what it returned, refused to do.
///
/// The message may hold SQL and paths: it is for the log, never for a client.
package struct SQLiteError: Error, Equatable {
  /// The kind of failure: what `catch` clauses look at.
  package let code: Code
  /// The exact failure, such as 1555 for a primary key that exists; equal to `code` where there is none.
  package let extendedCode: Int32
  package let message: String

  package init(_ code: Code, _ message: String) {
    (self.code, self.extendedCode, self.message) = (code, code.rawValue, message)
  }

  /// The primary result codes (https://sqlite.org/rescode.html) that somebody tells apart.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let busy = Code(rawValue: SQLITE_BUSY)
    package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    package static let error = Code(rawValue: SQLITE_ERROR)
    package static let full = Code(rawValue: SQLITE_FULL)
    /// A column holds another type than the one that was asked for.
    package static let mismatch = Code(rawValue: SQLITE_MISMATCH)
    package static let misuse = Code(rawValue: SQLITE_MISUSE)
    package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
    /// A parameter or a column that the statement does not have.
    package static let range = Code(rawValue: SQLITE_RANGE)
    package static let readOnly = Code(rawValue: SQLITE_READONLY)
  }
}

extension SQLiteError {
  /// The failure of the last call on `database`, which returned `result`.
  init(_ result: Int32, in database: OpaquePointer?) {
    let extended = database.map(sqlite3_extended_errcode) ?? result
    // Some calls fail before they reach the connection, whose last error is then an older one.
    let isOfThisCall = extended & 0xFF == result & 0xFF
    self.init(
      code: Code(rawValue: result & 0xFF), extendedCode: isOfThisCall ? extended : result,
      message: String(cString: isOfThisCall ? sqlite3_errmsg(database) : sqlite3_errstr(result)))
  }

  private init(code: Code, extendedCode: Int32, message: String) {
    (self.code, self.extendedCode, self.message) = (code, extendedCode, message)
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String { "SQLite error \(extendedCode): \(message)" }
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
