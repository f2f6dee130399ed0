import Files
import Foundation
package import Memes

/// Copies of the database from before an operation that is hard to undo: an upgrade or a restore.
///
/// A copy gets its name only when it is complete and on disk.
package struct RestorePoints: Sendable {
  /// The operation that a restore point precedes.
  enum Occasion {
    /// An upgrade, with the first migration that the copy lacks.
    case migration(Int)
    case restore

    /// The suffix of the file name.
    var name: String {
      switch self {
      case .migration(let version): "before-migration-\(version).db"
      case .restore: "before-restore.db"
      }
    }
  }

  /// An event while a restore point is made.
  package enum Event: Sendable {
    case copying(done: Int64, all: Int64)
    /// The restore point is complete, at this path.
    case made(String)
  }

  /// The number of restore points that are kept of each kind.
  package static let kept = 3

  let folder: String
  private let now: @Sendable () -> Timestamp
  let tell: @Sendable (Event) -> Void

  /// - Parameter tell: called on the thread that makes the restore point.
  package init(
    in data: DataFolder, now: @escaping @Sendable () -> Timestamp = { .now() },
    tell: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    (folder, self.now, self.tell) = (Self.path(in: data), now, tell)
  }

  static func path(in data: DataFolder) -> String { data.path(of: "restore-points") }

  /// Creates the folder with mode 0700 if it does not exist, and deletes incomplete copies.
  func makeFolder() throws(FileError) {
    guard mkdir(folder, 0o700) == 0 else {
      guard errno == EEXIST else { throw FileError("mkdir", folder) }
      // A copy that was being verified when the process died also has the files that SQLite keeps next to it.
      let ends = ([""] + PendingRestore.beside).map { FileCopy.unfinished + $0 }
      for name in names where ends.contains(where: name.hasSuffix) { unlink("\(folder)/\(name)") }
      return
    }
    try Files.syncParent(of: folder)
  }

  /// The path for a new restore point, which sorts after the existing ones, even if the clock was set back.
  func newPath(for occasion: Occasion) -> String {
    let newest = names.compactMap(Self.second(of:)).max()
    let second = max(now().millisecondsSince1970 / 1000, newest.map { $0 + 1 } ?? .min)
    return "\(folder)/\(Self.prefix)\(Self.stamp(second))-\(occasion.name)"
  }

  /// Deletes the oldest restore points of a kind.
  func prune(_ occasion: Occasion, except needed: String? = nil) {
    let isAlike: (String) -> Bool =
      switch occasion {
      case .migration: { $0.contains("-before-migration-") }
      case .restore: { $0.hasSuffix("-before-restore.db") }
      }
    let alike = names.filter { Self.isOurs($0) && isAlike($0) }.sorted()
    for name in alike.dropLast(Self.kept) where name != needed {
      for end in PendingRestore.beside + PendingRestore.keys.map({ "-\($0)" }) + [""] {
        unlink("\(folder)/\(name)\(end)")
      }
    }
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private static let prefix = "mememe-"

  /// Whether this type may have created the file name. Other files in the folder are left alone.
  static func isOurs(_ name: String) -> Bool {
    name.wholeMatch(of: /mememe-\d{8}T\d{6}Z-before-(migration-\d+|restore)\.db/) != nil
  }

  /// The seconds since 1970 in the name of a restore point, or of a file next to one; `nil` for other files.
  private static func second(of name: String) -> Int64? {
    let stamp = /mememe-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-before-/
    guard let parts = name.prefixMatch(of: stamp)?.output else { return nil }
    let text = "\(parts.1)-\(parts.2)-\(parts.3)T\(parts.4):\(parts.5):\(parts.6)Z"
    return (try? Timestamp(text)).map { $0.millisecondsSince1970 / 1000 }
  }

  /// `20261122T112953Z`
  private static func stamp(_ secondsSince1970: Int64) -> String {
    Timestamp(millisecondsSince1970: 1000 * secondsSince1970).basicText
  }
}
