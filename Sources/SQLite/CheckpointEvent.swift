package import SQL

/// A checkpoint event that the operator should know about.
package enum CheckpointEvent: Sendable {
  /// A checkpoint failed. No data is lost, but the WAL grows until a checkpoint succeeds.
  case failed(DatabaseError)
  /// A reader has blocked checkpoints for this long. The WAL grows until the reader finishes.
  case held(by: String, for: Duration)
  /// The reader of ``held(by:for:)`` has finished, and the WAL has been copied into the database.
  case released(after: Duration)
}
