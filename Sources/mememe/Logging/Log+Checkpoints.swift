import SQLite

extension Log {
  /// Logs failed checkpoints, and readers that keep the write-ahead log from being copied into the database.
  func checkpoint(_ event: CheckpointEvent) {
    switch event {
    case .failed(let error):
      write(.error, "checkpoint failed", [("cause", .text(error.description))])
    case .held(let reader, let duration):
      write(
        .warning, "a reader keeps the write-ahead log from being copied; it grows",
        [("reader", .text(reader)), ("seconds", .whole(Int(duration / .seconds(1))))])
    case .released(let duration):
      write(
        .info, "the write-ahead log is copied again",
        [("seconds", .whole(Int(duration / .seconds(1))))])
    }
  }
}
