/// What happens to backups, for the log.
package enum BackupEvent: Sendable {
  case began(Backup)
  case completed(Backup, took: Duration)
  /// Something in the copy is not whole.
  case found(Finding)
  /// Why what follows failed, or why one that is not kept is still there.
  case broke(MemeError)
  case failed(Backup)
  case removed(Backup)
}
