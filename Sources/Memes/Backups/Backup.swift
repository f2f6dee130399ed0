/// A copy of everything that a server keeps, in one file: being made, complete, or failed.
package struct Backup: Sendable, Equatable {
  package let id: BackupID
  /// When it was begun: it has all that was acknowledged before.
  package let takenAt: Timestamp
  /// The version of the program that made it.
  package let program: String
  /// Whether a person or a script asked for it, and not the schedule.
  package let isManual: Bool
  /// The order in which the backups of a folder were made, whatever the clock said; 0 for those of version 0.1.0.
  package let number: Int
  package var state: State

  package enum State: Sendable, Equatable {
    case copying(BackupProgress)
    case verifying(BackupProgress)
    case complete(Contents)
    case failed(BackupFailure)

    /// What the contract calls it.
    package var name: String {
      switch self {
      case .copying: "copying"
      case .verifying: "verifying"
      case .complete: "complete"
      case .failed: "failed"
      }
    }
  }

  /// What there is to say of one that is complete.
  package struct Contents: Sendable, Equatable {
    package let verifiedAt: Timestamp
    /// Of its file.
    package let byteCount: Int
    /// How many memes people see in it.
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

  /// Whether this one was made before the other.
  package func isOlder(than other: Backup) -> Bool {
    (number, takenAt) < (other.number, other.takenAt)
  }

  /// The name of its file: `mememe-20261122T112953Z.db`.
  package var fileName: String { Self.fileName(at: takenAt) }

  /// The name of a backup's file that is begun at this time; that of another one in the same second is the same.
  package static func fileName(at time: Timestamp) -> String {
    "mememe-\(time.description.prefix(19).filter { $0 != "-" && $0 != ":" })Z.db"
  }
}

extension Backup {
  /// `nil` where it is not complete.
  package var contents: Contents? {
    guard case .complete(let contents) = state else { return nil }
    return contents
  }

  /// `nil` where it is not being made.
  package var progress: BackupProgress? {
    switch state {
    case .copying(let progress), .verifying(let progress): progress
    case .complete, .failed: nil
    }
  }

  /// `nil` where it did not fail.
  package var failure: BackupFailure? {
    guard case .failed(let failure) = state else { return nil }
    return failure
  }
}

/// How far the copying or the verifying is.
package struct BackupProgress: Sendable, Equatable {
  package let doneBytes: Int
  /// Grows with the database.
  package let allBytes: Int

  package init(doneBytes: Int, allBytes: Int) {
    (self.doneBytes, self.allBytes) = (doneBytes, allBytes)
  }
}

/// Why there is no backup, for admins to read.
package enum BackupFailure: Error, Sendable, Equatable {
  case storageFull
  /// The copy is not whole: so many things were found.
  case damaged(findings: Int)
  /// It was given up, by an admin or because the server stopped.
  case cancelled
  case failed

  /// A sentence, without anything of the machine.
  package var message: String {
    switch self {
    case .storageFull: "The disk had no room for it."
    case .damaged(let findings):
      "The copy was not whole: \(findings) finding\(findings == 1 ? "" : "s"). mememe check tells what is wrong."
    case .cancelled: "It was given up before it was complete."
    case .failed: "It could not be made. The log tells why."
    }
  }
}
