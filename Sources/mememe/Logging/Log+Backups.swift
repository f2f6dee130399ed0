import Foundation
import Memes

extension Log {
  /// Logs the progress and the failures of backups.
  func backup(_ event: BackupEvent) {
    switch event {
    case .began(let backup):
      write(
        .info, "backup started",
        [("backup", .text("\(backup.id)")), ("file", .text(backup.fileName))]
      )
    case .completed(let backup, let duration):
      write(
        .info, "backup complete",
        [
          ("backup", .text("\(backup.id)")), ("file", .text(backup.fileName)),
          ("bytes", .whole(backup.contents?.byteCount ?? 0)),
          ("memes", .whole(backup.contents?.memes ?? 0)),
          ("milliseconds", .whole(Int(duration / .milliseconds(1)))),
        ])
    case .found(let finding):
      write(.error, "backup is damaged", [("finding", .text("\(finding)"))])
    case .broke(let error):
      write(.error, "cannot make or remove a backup", [("cause", .text(error.reason))])
    case .failed(let backup):
      write(
        backup.failure == .cancelled ? .info : .error, "backup failed",
        [("backup", .text("\(backup.id)")), ("problem", .text(backup.failure?.message ?? ""))])
    case .removed(let backup):
      write(
        .info, "backup removed",
        [("backup", .text("\(backup.id)")), ("file", .text(backup.fileName))])
    }
  }

  /// Logs why the scheduled backup was not begun.
  func notScheduled(_ error: any Error) {
    write(.error, "cannot start the scheduled backup", [("cause", .text(error.reason))])
  }
}
