import Bytes
import Files
import Foundation
import Memes

/// The folder with the backups, which are identified by their file names. All other files in the folder are left alone.
struct BackupFolder: Sendable {
  let path: String

  /// The suffix of a backup that is being made. SQLite may create further files next to it.
  private static let draft = ".part"
  private static let besideDraft = ["", "-journal", "-wal", "-shm"]

  func path(of backup: Backup) -> String { "\(path)/\(backup.fileName)" }

  func draft(of backup: Backup) -> String { path(of: backup) + Self.draft }

  /// Creates the folder with access for its owner only, if it does not exist.
  func make() throws {
    do throws(FileError) { try DataFolder.makeFolder(path) } catch {
      throw MemeError(error)
    }
  }

  /// The names of the files that may be backups.
  func names() throws -> [String] {
    try contents().filter(Self.isName)
  }

  /// Whether a file has the name of a backup of this second, or of its draft.
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

  /// Renames the draft to its final name. When this returns, the new name survives a crash. If it throws, there is no
  /// backup of this name.
  func publish(_ backup: Backup) throws {
    let file = path(of: backup)
    guard rename(draft(of: backup), file) == 0 else { throw MemeError(FileError("rename", file)) }
    do { try sync() } catch {
      unlink(file)
      throw error
    }
  }

  func remove(_ backup: Backup) throws {
    let file = path(of: backup)
    guard unlink(file) == 0 else {
      throw errno == ENOENT ? .notFound : MemeError(FileError("unlink", file))
    }
    try sync()
  }

  private func sync() throws {
    do throws(FileError) { try Files.sync(path) } catch {
      throw MemeError(error)
    }
  }

  private func contents() throws -> [String] {
    guard FileStatus(of: path, followingLinks: false) != nil else { return [] }
    do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw MemeError.storage(error)
    }
  }

  /// Whether ``Backup/fileName(at:)`` may have produced this name.
  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /mememe-[0-9]{8}T[0-9]{6}Z\.db/) != nil
  }
}

extension MemeError {
  fileprivate init(_ error: FileError) {
    self = error.isDiskFull ? .storageFull : .storage(error)
  }
}
