/// The version that a change gives a row, as SQL in a statement that changes the row.
///
/// Usually one more than before. After a restore it is above the floor, so that it differs from every version which
/// clients know from the replaced database.
enum NextVersion {
  /// - Parameter version: the row's version, as an SQL expression.
  static func sql(after version: String = "version") -> String {
    "max(\(version), (SELECT version_floor FROM epochs)) + 1"
  }
}
