import Foundation
package import Memes

/// Copies of a database as it was before something that is not taken back easily: an upgrade, a restore.
///
/// A copy has its name once it is whole and on the disk, and not before.
package struct RestorePoints: Sendable {
  /// What a restore point was made before.
  enum Occasion {
    /// An upgrade; the first migration that the copy does not have.
    case migration(Int)
    case restore

    /// The end of its file's name.
    var name: String {
      switch self {
      case .migration(let version): "before-migration-\(version).db"
      case .restore: "before-restore.db"
      }
    }
  }

  /// What happens while one is made.
  package enum Event: Sendable {
    case copying(done: Int64, all: Int64)
    /// It is there, at this path.
    case made(String)
  }

  /// How many are kept of those before upgrades, and as many of those before restores.
  package static let kept = 3

  let folder: String
  private let now: @Sendable () -> Timestamp
  let tell: @Sendable (Event) -> Void

  /// - Parameter tell: runs on the thread that makes one.
  package init(
    in data: DataFolder, now: @escaping @Sendable () -> Timestamp = { .now() },
    tell: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    (folder, self.now, self.tell) = (Self.path(in: data), now, tell)
  }

  static func path(in data: DataFolder) -> String { data.path(of: "restore-points") }

  /// Makes the folder, mode 0700, where there is none, and removes what a copy that was not finished left.
  func makeFolder() throws(FileFailure) {
    guard mkdir(folder, 0o700) == 0 else {
      guard errno == EEXIST else { throw FileFailure("mkdir", folder) }
      for name in names where name.hasSuffix(FileCopy.unfinished) { unlink("\(folder)/\(name)") }
      return
    }
    try FileCopy.sync(FileCopy.folder(of: folder))
  }

  /// A path for a new one, later in their order than those that are there.
  func newPath(for occasion: Occasion) -> String {
    var second = now().millisecondsSince1970 / 1000
    while names.contains(where: { $0.hasPrefix(Self.prefix + Self.stamp(second)) }) { second += 1 }
    return "\(folder)/\(Self.prefix)\(Self.stamp(second))-\(occasion.name)"
  }

  /// Removes the oldest of a kind.
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

  /// Whether a file's name is one that is made here: what else somebody put there stays.
  static func isOurs(_ name: String) -> Bool {
    name.wholeMatch(of: /mememe-\d{8}T\d{6}Z-before-(migration-\d+|restore)\.db/) != nil
  }

  /// `20261122T112953Z`
  private static func stamp(_ secondsSince1970: Int64) -> String {
    var moment = time_t(secondsSince1970)
    var parts = tm()
    gmtime_r(&moment, &parts)
    return String(
      format: "%04d%02d%02dT%02d%02d%02dZ", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
      parts.tm_hour, parts.tm_min, parts.tm_sec)
  }
}
