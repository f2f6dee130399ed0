/// The engines, and the few parts of a statement that have no common text. All other statements are the same text for
/// both engines (docs/decisions/0082-one-text-for-both-engines.md).
package enum Dialect: Sendable {
  case sqlite
  case postgreSQL

  /// The table or view with the current totals of the installation.
  package var totals: String {
    switch self {
    case .sqlite: "totals"
    case .postgreSQL: "totals_now"
    }
  }

  /// The table or view with the number of uploads of each day.
  package var uploadDays: String {
    switch self {
    case .sqlite: "upload_days"
    case .postgreSQL: "upload_days_now"
    }
  }

  /// The condition that a user's `email` is the parameter, without regard to the case of ASCII letters.
  package func isEmail(_ parameter: String) -> String {
    switch self {
    // The column's collation ignores the case.
    case .sqlite: "email = \(parameter)"
    case .postgreSQL: "lower(email) = lower(\(parameter))"
    }
  }

  /// The bytes of a column followed by those of the parameter.
  package func appending(_ parameter: String, to column: String) -> String {
    switch self {
    // Concatenated bytes are text to SQLite.
    case .sqlite: "CAST(\(column) || \(parameter) AS BLOB)"
    case .postgreSQL: "\(column) || \(parameter)"
    }
  }
}
