/// A copy of all data of a server, in one file: in progress, complete, or failed.
package struct Backup: Sendable, Equatable {
  package let id: BackupID
  /// The time at which the backup began. It contains all changes acknowledged before.
  package let takenAt: Timestamp
  /// The version of the program that made it.
  package let program: String
  /// Whether a person or a script requested the backup, rather than the schedule.
  package let isManual: Bool
  /// The creation order of the backups in a folder, independent of the clock; 0 for backups of version 0.1.0.
  package let number: Int
  package var state: State

  package enum State: Sendable, Equatable {
    case copying(BackupProgress)
    case verifying(BackupProgress)
    case complete(Contents)
    case failed(BackupFailure)

    /// The name of the state in the API.
    package var name: String {
      switch self {
      case .copying: "copying"
      case .verifying: "verifying"
      case .complete: "complete"
      case .failed: "failed"
      }
    }
  }

  /// The facts of a complete backup.
  package struct Contents: Sendable, Equatable {
    package let verifiedAt: Timestamp
    /// The size of the file.
    package let byteCount: Int
    /// The number of memes in the backup, without those in the trash.
    package let memes: Int

    package init(verifiedAt: Timestamp, byteCount: Int, memes: Int) {
      (self.verifiedAt, self.byteCount, self.memes) = (verifiedAt, byteCount, memes)
    }
  }

  package init(
    id: BackupID, takenAt: Timestamp, program: String, isManual: Bool = false, number: Int = 0,
    state: State
  ) {
    (self.id, self.takenAt, self.program, self.state) = (id, takenAt, program, state)
    (self.isManual, self.number) = (isManual, number)
  }

  /// Whether this backup was made before the other.
  package func isOlder(than other: Backup) -> Bool {
    (number, takenAt) < (other.number, other.takenAt)
  }

  /// The name of the file: `mememe-20261122T112953Z.db`.
  package var fileName: String { Self.fileName(at: takenAt) }

  /// The file name of a backup that begins at this time. Backups of the same second have the same name.
  package static func fileName(at time: Timestamp) -> String {
    "mememe-\(time.basicText).db"
  }
}

extension Backup {
  /// `nil` unless the backup is complete.
  package var contents: Contents? {
    guard case .complete(let contents) = state else { return nil }
    return contents
  }

  /// `nil` unless the backup is in progress.
  package var progress: BackupProgress? {
    switch state {
    case .copying(let progress), .verifying(let progress): progress
    case .complete, .failed: nil
    }
  }

  /// `nil` unless the backup failed.
  package var failure: BackupFailure? {
    guard case .failed(let failure) = state else { return nil }
    return failure
  }
}

/// The progress of copying or verifying.
package struct BackupProgress: Sendable, Equatable {
  package let doneBytes: Int
  /// Grows if the database grows.
  package let allBytes: Int

  package init(doneBytes: Int, allBytes: Int) {
    (self.doneBytes, self.allBytes) = (doneBytes, allBytes)
  }
}

/// The reason why a backup failed, for admins.
package enum BackupFailure: Error, Sendable, Equatable {
  case storageFull
  /// The copy is damaged, with this many findings.
  case damaged(findings: Int)
  /// An admin canceled the backup, or the server stopped.
  case cancelled
  case failed

  /// A sentence without details of the machine.
  package var message: String {
    switch self {
    case .storageFull: "The disk is full."
    case .damaged(let findings):
      "Verification of the copy failed with \(findings) finding\(findings == 1 ? "" : "s"). Run mememe check to list the damage."
    case .cancelled: "The backup was canceled."
    case .failed: "The backup failed. See the server log."
    }
  }
}
