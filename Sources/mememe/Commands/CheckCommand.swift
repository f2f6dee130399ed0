import Foundation
import Memes
import PostgreSQL
import Storage

/// `mememe check`: prints one line per damaged item, and a summary that names the data folder or the database.
///
/// With `--repair`, it repairs what it can, prints a line for each repair, and checks again. With `--decode`, it also
/// decodes every picture, which takes long.
///
/// Exits 0 if nothing is damaged at the end, 1 if something is, 2 if the check could not run.
struct CheckCommand {
  let settings: Settings
  let repairs: Bool
  let decodes: Bool
  private let checking = ProgressLine("checking", .things("rows"))
  private let repairing = ProgressLine("repairing", .things("findings"))
  /// The maximum number of passes. A repair can expose further damage: bytes become orphans only after the row that
  /// they belong to is deleted.
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
      repairing.clear()
      FileHandle.standardError.put("mememe: \(error)\n")
      return 2
    }
  }

  /// Checks and repairs until a pass finds nothing that can be repaired, or repairs nothing.
  ///
  /// - Returns: the summary of the last check.
  private func repaired() async throws -> CheckSummary {
    let access = try await ExclusiveAccess(settings)
    defer { withExtendedLifetime(access) {} }
    var pass = 0
    while true {
      pass += 1
      var findings: [Finding] = []
      let summary = try await Server.check(
        settings, with: access, decoding: decodes,
        report: { finding in
          findings.append(finding)
          line("\(finding)")
        }, progress: { checking.show($0, of: $1) })
      guard summary.repairable > 0, pass < Self.passes else { return summary }
      let repaired = try await Server.repair(
        settings, with: access, findings, report: { line($0) },
        progress: { repairing.show($0, of: $1) })
      guard repaired > 0 else { return summary }
      line("checking again")
    }
  }

  private func text(of summary: CheckSummary) -> String {
    let outcome =
      switch (summary.findings, summary.repairable) {
      case (0, _): "no damage"
      case (1, 0): "1 finding"
      case (let count, 0): "\(count) findings"
      case (1, _): "1 finding, which mememe check --repair can repair"
      case (let count, let repairable):
        "\(count) findings; mememe check --repair can repair \(repairable)"
      }
    // The operator may not know that MEMEME_DATABASE takes precedence over a data folder.
    let place = settings.database?.description ?? settings.dataFolder
    return """
      checked \(summary.memes) memes (\(summary.memesInTrash) in the trash), \
      \(summary.uploads) uploads (\(summary.unfinishedUploads) more unfinished), \
      \(summary.templates) templates, \(summary.avatars) avatars, \
      \(summary.pictures) pictures with \(summary.pictureBytes) bytes, \(summary.blobs) blobs in \(place): \(outcome)
      """
  }

  private func line(_ text: String) {
    checking.clear()
    repairing.clear()
    FileHandle.standardOutput.put("\(text)\n")
  }
}
