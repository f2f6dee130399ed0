import Foundation
import Memes

/// `mememe check`: prints a line for everything that is damaged, and a summary.
///
/// Exits 0 where all is whole, 1 where something is not, 2 where nothing could be checked.
struct CheckCommand {
  let settings: Settings
  private let progress = ProgressLine("checking", .things("rows"))

  init(_ settings: Settings) { self.settings = settings }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    do {
      let summary = try await Server.check(
        settings, report: { line("\($0)") }, progress: { progress.show($0, of: $1) })
      line(text(of: summary))
      return summary.findings == 0 ? 0 : 1
    } catch {
      progress.clear()
      FileHandle.standardError.write(Data("mememe: \(error)\n".utf8))
      return 2
    }
  }

  private func text(of summary: CheckSummary) -> String {
    let outcome =
      switch summary.findings {
      case 0: "no damage"
      case 1: "1 finding"
      case let count: "\(count) findings"
      }
    return """
      checked \(summary.memes) memes (\(summary.memesInTrash) in the trash), \
      \(summary.uploads) uploads (\(summary.unfinishedUploads) more unfinished), \
      \(summary.templates) templates, \(summary.avatars) avatars, \
      \(summary.pictures) pictures with \(summary.pictureBytes) bytes, \(summary.blobs) blobs: \(outcome)
      """
  }

  private func line(_ text: String) {
    progress.clear()
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}
