/// What an operator should know of copying the write-ahead log into the database.
package enum CheckpointEvent: Sendable {
  /// Nothing is lost, but the log grows until one succeeds.
  case failed(SQLiteError)
  /// A reader has kept the log from being copied for so long; it grows while that lasts.
  case held(by: String, for: Duration)
  /// What was ``held(by:for:)`` is copied.
  case released(after: Duration)
}
