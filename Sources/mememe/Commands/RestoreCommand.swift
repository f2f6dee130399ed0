import Arguments
import Foundation
import Memes
import Storage

/// `mememe restore FILE`: replaces the folder's database with a backup, a restore point or a plain copy. The old
/// database is kept.
///
/// Exits 0 if the database is restored. Exits 1 if not; then nothing has changed.
struct RestoreCommand {
  private let file: String
  private let takesDamaged: Bool
  private let settings: Settings
  private let copying = ProgressLine("copying", .bytes)
  private let checking = ProgressLine("verifying", .things("rows"))

  init(_ order: RestoreOptions, _ settings: Settings) {
    (file, takesDamaged, self.settings) = (order.file, order.takesDamaged, settings)
  }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    do {
      try NotForServers.check(settings, instead: "restore PostgreSQL with its own tools")
      let folder = try DataFolder(path: settings.dataFolder)
      defer { withExtendedLifetime(folder) {} }
      let outcome = try await Restoration(
        into: folder, migrations: Server.migrations, digest: Server.digest, tell: tell
      ).restore(from: file, evenIfDamaged: takesDamaged)
      line(text(of: outcome))
      return 0
    } catch {
      clear()
      FileHandle.standardError.put("mememe: \(error)\n")
      return 1
    }
  }

  private func tell(_ event: Restoration.Event) {
    switch event {
    case .copying(let done, let all): copying.show(done, of: all)
    case .checking(let done, let all): checking.show(done, of: all)
    case .found(let finding): line("\(finding)")
    }
  }

  private func text(of outcome: Restoration.Outcome) -> String {
    let copy = outcome.copy
    let taken = outcome.takenAt.map { ", made at \($0)" } ?? ""
    let done = """
      Restored \(settings.dataFolder) from \(file)\(taken): \(copy.memes) memes (\(copy.memesInTrash) in the trash), \
      \(copy.templates) templates, \(copy.pictures) pictures with \(copy.pictureBytes) bytes.
      """
    guard let point = outcome.point else { return done }
    return """
      \(done)
      The previous data is in \(point). To restore it, run:
        mememe restore \(point) --data \(settings.dataFolder)
      """
  }

  private func line(_ text: String) {
    clear()
    FileHandle.standardOutput.put("\(text)\n")
  }

  private func clear() {
    copying.clear()
    checking.clear()
  }
}

/// The arguments of `mememe restore`.
struct RestoreOptions {
  let file: String
  let takesDamaged: Bool

  static let usage = """
    usage: mememe restore FILE [--damaged]

    FILE is a backup, a restore point, or a copy of mememe.db made while it was not in use. Stop the server first.
    Set the data folder with --data or MEMEME_DATA. --damaged restores a file even if its verification fails.
    """

  /// Parses the arguments and removes them from `words`. The remaining words are flags of settings.
  init(taking words: inout [String]) throws(UsageError) {
    var flags = ArgumentParser(words, help: Self.usage)
    let files = flags.takeLeading()
    guard let file = files.first, files.count == 1 else {
      throw UsageError(Self.usage, "specify one file to restore")
    }
    (self.file, takesDamaged) = (file, flags.take("--damaged"))
    words = flags.rest
  }
}
