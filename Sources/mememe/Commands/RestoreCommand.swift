import Foundation
import Memes
import Storage

/// `mememe restore FILE`: puts a backup, a restore point or a plain copy in the place of the folder's database, which it keeps.
///
/// Exits 0 where that is done, 1 where it is not: then nothing was changed.
struct RestoreCommand {
  private let file: String
  private let takesDamaged: Bool
  private let settings: Settings
  private let copying = ProgressLine("copying", .bytes)
  private let checking = ProgressLine("verifying", .things("rows"))

  init(_ order: RestoreOrder, _ settings: Settings) {
    (file, takesDamaged, self.settings) = (order.file, order.takesDamaged, settings)
  }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    do {
      let folder = try DataFolder(path: settings.dataFolder)
      defer { withExtendedLifetime(folder) {} }
      let outcome = try await Restoring(
        into: folder, migrations: Server.migrations, digest: Server.digest, tell: tell
      ).restore(from: file, evenIfDamaged: takesDamaged)
      line(text(of: outcome))
      return 0
    } catch {
      clear()
      FileHandle.standardError.write(Data("mememe: \(error)\n".utf8))
      return 1
    }
  }

  private func tell(_ event: Restoring.Event) {
    switch event {
    case .copying(let done, let all): copying.show(done, of: all)
    case .checking(let done, let all): checking.show(done, of: all)
    case .found(let finding): line("\(finding)")
    }
  }

  private func text(of outcome: Restoring.Outcome) -> String {
    let copy = outcome.copy
    let taken = outcome.takenAt.map { ", a backup of \($0)" } ?? ""
    let done = """
      \(settings.dataFolder) is restored from \(file)\(taken): \(copy.memes) memes (\(copy.memesInTrash) in the trash), \
      \(copy.templates) templates, \(copy.pictures) pictures with \(copy.pictureBytes) bytes.
      """
    guard let point = outcome.point else { return done }
    return """
      \(done)
      What was there before is in \(point). To go back to it:
        mememe restore \(point) --data \(settings.dataFolder)
      """
  }

  private func line(_ text: String) {
    clear()
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  private func clear() {
    copying.clear()
    checking.clear()
  }
}

/// What `mememe restore` is told to do.
struct RestoreOrder {
  let file: String
  let takesDamaged: Bool

  static let usage = """
    usage: mememe restore FILE [--damaged]

    FILE is a backup, a restore point, or a copy of mememe.db that was not in use. No server may use the data folder, which
    --data or MEMEME_DATA names. --damaged takes a copy also that does not verify.
    """

  /// Reads the order, and takes its words away: what is left are flags of settings.
  init(taking words: inout [String]) throws(InvalidOrder) {
    var flags = OrderWords(words, usage: Self.usage)
    let files = flags.takeFirst()
    guard let file = files.first, files.count == 1 else {
      throw InvalidOrder(Self.usage, "one file to restore must follow")
    }
    (self.file, takesDamaged) = (file, flags.take("--damaged"))
    words = flags.rest
  }
}
