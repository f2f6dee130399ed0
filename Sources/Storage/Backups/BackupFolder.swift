import Bytes
import Foundation
import Memes

/// The folder that backups are in, by their names. Whatever else is there is somebody else's.
struct BackupFolder: Sendable {
  let path: String

  /// While it is made a backup has this at the end of its name, and SQLite may have files beside it.
  private static let draft = ".part"
  private static let besideDraft = ["", "-journal", "-wal", "-shm"]

  func path(of backup: Backup) -> String { "\(path)/\(backup.fileName)" }

  func draft(of backup: Backup) -> String { path(of: backup) + Self.draft }

  /// Makes the folder where there is none, for nobody but its owner.
  func make() throws(MemeError) {
    do throws(DataFolder.Failure) { try DataFolder.makeFolder(path) } catch {
      throw MemeError(error)
    }
  }

  /// The names of files that may be backups.
  func names() throws(MemeError) -> [String] {
    try contents().filter(Self.isName)
  }

  /// Whether anything has the name of a backup of this second, or of its draft.
  func isTaken(_ time: Timestamp) -> Bool {
    let path = "\(path)/\(Backup.fileName(at: time))"
    return [path, path + Self.draft].contains { FileStatus(of: $0, followingLinks: false) != nil }
  }

  func removeDraft(of backup: Backup) {
    for suffix in Self.besideDraft { unlink(draft(of: backup) + suffix) }
  }

  /// Removes the drafts of all backups.
  func removeDrafts() {
    for name in (try? contents()) ?? [] {
      guard let end = name.range(of: Self.draft, options: .backwards) else { continue }
      if Self.isName(String(name[..<end.lowerBound])),
        Self.besideDraft.contains(String(name[end.upperBound...]))
      {
        unlink("\(path)/\(name)")
      }
    }
  }

  /// Gives the draft its name. When this returns, that outlives a crash; where it throws, there is none.
  func publish(_ backup: Backup) throws(MemeError) {
    guard rename(draft(of: backup), path(of: backup)) == 0 else {
      throw MemeError(.io(call: "rename", errno: errno))
    }
    do throws(MemeError) { try sync() } catch {
      unlink(path(of: backup))
      throw error
    }
  }

  func remove(_ backup: Backup) throws(MemeError) {
    guard unlink(path(of: backup)) == 0 else {
      throw errno == ENOENT ? .notFound : MemeError(.io(call: "unlink", errno: errno))
    }
    try sync()
  }

  private func sync() throws(MemeError) {
    do throws(DataFolder.Failure) { try DataFolder.sync(folder: path) } catch {
      throw MemeError(error)
    }
  }

  private func contents() throws(MemeError) -> [String] {
    guard FileStatus(of: path, followingLinks: false) != nil else { return [] }
    do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw .storage(error)
    }
  }

  /// Whether this is what ``Backup/fileName(at:)`` makes of some time.
  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /mememe-[0-9]{8}T[0-9]{6}Z\.db/) != nil
  }
}

extension MemeError {
  fileprivate init(_ failure: DataFolder.Failure) {
    self =
      switch failure {
      case .io(_, ENOSPC), .io(_, EDQUOT): .storageFull
      case .io, .notAFolder, .inUse, .databaseInUse: .storage(failure)
      }
  }
}
