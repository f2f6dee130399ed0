/// The new version of a row, as SQL in the statement that changes the row.
///
/// Usually the old version plus one. After a restore it is above the floor, so that it differs from every version that
/// clients know from the replaced database.
enum NextVersion {
  /// - Parameter version: the row's version, as an SQL expression.
  static func sql(after version: String = "version") -> String {
    "max(\(version), (SELECT version_floor FROM epochs)) + 1"
  }
}
