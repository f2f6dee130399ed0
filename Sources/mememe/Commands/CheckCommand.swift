import Foundation
import Memes
import Storage

/// `mememe check`: prints a line for everything that is damaged, and a summary. With `--repair` it mends what can be mended, a line
/// each, and checks again. With `--decode` every picture is decoded too, which takes long.
///
/// Exits 0 where all is whole at the end, 1 where something is not, 2 where nothing could be checked.
struct CheckCommand {
  let settings: Settings
  let repairs: Bool
  let decodes: Bool
  private let checking = ProgressLine("checking", .things("rows"))
  private let mending = ProgressLine("mending", .things("findings"))
  /// What is mended may uncover more: what bytes belong to is known once what they belonged to is gone.
  private static let passes = 4

  init(_ settings: Settings, repairs: Bool, decodes: Bool) {
    (self.settings, self.repairs, self.decodes) = (settings, repairs, decodes)
  }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    do {
      let summary =
        repairs
        ? try await repaired()
        : try await Server.check(
          settings, decoding: decodes, report: { line("\($0)") },
          progress: { checking.show($0, of: $1) })
      line(text(of: summary))
      return summary.findings == 0 ? 0 : 1
    } catch {
      checking.clear()
      mending.clear()
      FileHandle.standardError.write(Data("mememe: \(error)\n".utf8))
      return 2
    }
  }

  /// Checks and mends, until nothing is found that can be mended, or nothing is mended any more.
  ///
  /// - Returns: what the last check has seen.
  private func repaired() async throws -> CheckSummary {
    let path = settings.dataFolder
    guard FileManager.default.fileExists(atPath: DataFolder.database(in: path)) else {
      throw NoDatabase(folder: path)
    }
    let folder = try DataFolder(path: path)
    defer { withExtendedLifetime(folder) {} }
    var pass = 0
    while true {
      pass += 1
      var findings: [Finding] = []
      let summary = try await Server.check(
        settings, in: folder, decoding: decodes,
        report: { finding in
          findings.append(finding)
          line("\(finding)")
        }, progress: { checking.show($0, of: $1) })
      guard summary.mendable > 0, pass < Self.passes else { return summary }
      let mended = try await Server.repair(
        settings, in: folder, findings, report: { line($0) },
        progress: { mending.show($0, of: $1) })
      guard mended > 0 else { return summary }
      line("checking again")
    }
  }

  private func text(of summary: CheckSummary) -> String {
    let outcome =
      switch (summary.findings, summary.mendable) {
      case (0, _): "no damage"
      case (1, 0): "1 finding"
      case (let count, 0): "\(count) findings"
      case (1, _): "1 finding, which mememe check --repair can mend"
      case (let count, let mendable):
        "\(count) findings, of which mememe check --repair can mend \(mendable)"
      }
    return """
      checked \(summary.memes) memes (\(summary.memesInTrash) in the trash), \
      \(summary.uploads) uploads (\(summary.unfinishedUploads) more unfinished), \
      \(summary.templates) templates, \(summary.avatars) avatars, \
      \(summary.pictures) pictures with \(summary.pictureBytes) bytes, \(summary.blobs) blobs: \(outcome)
      """
  }

  private func line(_ text: String) {
    checking.clear()
    mending.clear()
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }
}
