import API
import Memes
import Metrics
import Services

extension MetricsPage {
  /// Adds the metrics of backups.
  func add(_ backups: Backups?) {
    guard let backups else { return }
    add { text in
      text.counter(
        "mememe_backups_failed_total", "Failed backups.", backups.failures.value)
      let complete = backups.known
      text.gauge("mememe_backups", "Complete backups.", complete.count)
      text.gauge(
        "mememe_backup_bytes", "Size of complete backups.",
        complete.reduce(0) { $0 + ($1.contents?.byteCount ?? 0) })
      text.gauge(
        "mememe_backups_dated_ahead", "Complete backups with a date in the future.",
        backups.datedAhead.count)
      // The latest in creation order: the clock may have dated an earlier one later.
      guard let last = complete.first?.contents?.verifiedAt else { return }
      text.gauge(
        "mememe_backup_last_success_timestamp_seconds",
        "Time of the last verified backup, in seconds since 1970.",
        Double(last.millisecondsSince1970) / 1000)
    }
  }
}
