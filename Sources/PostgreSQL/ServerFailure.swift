import CPQ
import SQL

/// What the server, or the connection to it, reports about a statement.
struct ServerFailure: Error {
  /// Five characters (https://www.postgresql.org/docs/15/errcodes-appendix.html).
  let state: String
  let message: String
  /// Whether the server ends the connection.
  let isFatal: Bool

  /// The connection is broken, or cannot be opened. libpq reports no state for that.
  static func connection(_ message: String) -> Self {
    Self(state: "08006", message: message.trimmingLines)
  }

  init(state: String, message: String, isFatal: Bool = false) {
    (self.state, self.message, self.isFatal) = (state, message, isFatal)
  }

  /// The failure of a result; without a state, the connection broke.
  init(_ result: OpaquePointer) {
    let message = PQresultErrorField(result, ServerFailure.primaryMessage)
    let text = message.map { String(cString: $0) } ?? String(cString: PQresultErrorMessage(result))
    guard let state = PQresultErrorField(result, ServerFailure.sqlState) else {
      self = .connection(text)
      return
    }
    let severity = PQresultErrorField(result, ServerFailure.severity).map { String(cString: $0) }
    self.init(
      state: String(cString: state), message: text.trimmingLines,
      isFatal: severity == "FATAL" || severity == "PANIC")
  }

  /// Whether the server has sent it; otherwise libpq, which has lost the connection.
  var isOfServer: Bool { !state.hasPrefix("08") }

  // PG_DIAG_SEVERITY_NONLOCALIZED, PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY, which Swift imports as characters.
  private static let severity = Int32(UInt8(ascii: "V"))
  private static let sqlState = Int32(UInt8(ascii: "C"))
  private static let primaryMessage = Int32(UInt8(ascii: "M"))

  /// What a transaction does after this failure, if its COMMIT was not sent.
  var remedy: Remedy {
    switch state {
    // It stops, has crashed, or starts.
    case "57P01", "57P02", "57P03": .newConnection
    // A server that was demoted to a standby.
    case "25006": .newConnection
    case _ where state.hasPrefix("08"): .newConnection
    // A deadlock, or a failed serialization: the server has chosen this transaction to end.
    case "40P01", "40001": .again
    // The body then sees the row of the other transaction, or that the row to which it would refer was deleted.
    case "23505", "23503": .onceMore
    default: .none
    }
  }

  enum Remedy {
    case newConnection, again, onceMore, none
  }

  var databaseError: DatabaseError {
    DatabaseError(code, message, engineCode: "PostgreSQL error \(state)")
  }

  private var code: DatabaseError.Code {
    switch state {
    case "53100": .full
    case "53200": .noMemory
    // Too many connections; a lock that was not free in time; a server that starts or stops; a body that took too long.
    case "53300", "55P03", "57P01", "57P02", "57P03", "25P03", "40P01", "40001", "25006": .busy
    case "57014": .interrupted
    case "58030": .inputOutput
    case "XX001", "XX002": .corrupt
    case _ where state.hasPrefix("08"): .busy
    case _ where state.hasPrefix("23"): .constraint
    case _ where state.hasPrefix("22"): .mismatch
    default: .other
    }
  }
}

extension String {
  /// libpq ends messages with a line break.
  fileprivate var trimmingLines: String {
    String(reversed().drop { $0.isNewline }.reversed())
  }
}
