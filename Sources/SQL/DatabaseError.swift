import Foundation

/// An error of a database engine, or of decoding its results.
///
/// The message may contain SQL and paths. Log it, but never send it to a client.
package struct DatabaseError: Error, Equatable {
  /// The kinds of failure that callers distinguish.
  package enum Code: Sendable {
    case busy
    case cannotOpen
    case constraint
    case corrupt
    case full
    case inputOutput
    /// The work took too long, or was canceled.
    case interrupted
    /// A column holds another type than the caller requested.
    case mismatch
    case misuse
    case noMemory
    case notADatabase
    /// The statement has no such parameter or column.
    case range
    case readOnly
    /// Any other failure, such as an error in the SQL.
    case other
  }

  /// The kind of failure, for `catch` clauses.
  package let code: Code
  /// The engine's exact code, such as `SQLite error 1555` for an existing primary key; `nil` if it reported none.
  package let engineCode: String?
  package let message: String
  /// The underlying error number of the system, such as ENOSPC; 0 if none is known.
  package let systemError: Int32

  package init(
    _ code: Code, _ message: String, engineCode: String? = nil, systemError: Int32 = 0
  ) {
    (self.code, self.message) = (code, message)
    (self.engineCode, self.systemError) = (engineCode, systemError)
  }

  /// Keeps a database error unchanged. Any other error, which is not expected here, provides only its text.
  package init(_ error: any Error) {
    self = error as? DatabaseError ?? DatabaseError(.misuse, "\(error)")
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

extension DatabaseError: CustomStringConvertible {
  package var description: String {
    let cause = systemError == 0 ? "" : " (\(String(cString: strerror(systemError))))"
    return "\(engineCode ?? "database error"): \(message)\(cause)"
  }
}

/// Maps a database error to the error that a read or a transaction throws: a domain error, or the same error.
package typealias FailureMap = @Sendable (DatabaseError) -> any Error
