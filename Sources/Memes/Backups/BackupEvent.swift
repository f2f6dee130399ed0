/// An event of a backup, for the log.
package enum BackupEvent: Sendable {
  case began(Backup)
  case completed(Backup, took: Duration)
  /// Damage in the copy.
  case found(Finding)
  /// The error behind the `failed` event that follows, or the reason why a surplus backup was not removed.
  case broke(any Error)
  case failed(Backup)
  case removed(Backup)
}
