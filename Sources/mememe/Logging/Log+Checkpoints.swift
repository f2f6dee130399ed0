import SQL
import SQLite

extension Log {
  /// Logs failed checkpoints, and readers that keep the write-ahead log from being copied into the database.
  func checkpoint(_ event: CheckpointEvent) {
    switch event {
    case .failed(let error):
      write(.error, "checkpoint failed", [("cause", .text(error.description))])
    case .held(let reader, let duration):
      write(
        .warning, "checkpoint blocked by a reader; the write-ahead log is growing",
        [("reader", .text(reader)), ("seconds", .whole(Int(duration / .seconds(1))))])
    case .released(let duration):
      write(
        .info, "checkpoint no longer blocked",
        [("seconds", .whole(Int(duration / .seconds(1))))])
    }
  }
}
