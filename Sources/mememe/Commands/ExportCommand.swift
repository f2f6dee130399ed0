import Foundation
import Memes

/// `mememe export`: writes all memes into a folder, and reports those that it could not read.
///
/// Exits 0 if every meme was exported, 1 if one was not, 130 or 143 if a signal stopped the command.
struct ExportCommand {
  private let order: ExportOptions
  private let settings: Settings
  private let progress = ProgressLine("exporting", .things("memes"))

  init(_ order: ExportOptions, _ settings: Settings) {
    (self.order, self.settings) = (order, settings)
  }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    let stop = StopSignal()
    do {
      let summary = try await Server.export(
        settings, order, isStopped: { stop.hasCome },
        report: { id, reason in tell("skipped meme \(id): \(reason); run mememe check for details")
        },
        progress: { progress.show($0, of: $1) })
      progress.clear()
      if let code = stop.exitCode, !summary.isWhole {
        tell("stopped; run the same command to continue")
        return code
      }
      print(
        """
        exported \(summary.memes) memes to \(order.folder); \(summary.filesWritten) files written, \
        \(summary.damaged) memes skipped
        """)
      return summary.damaged == 0 ? 0 : 1
    } catch {
      tell("mememe: \(reason(of: error))")
      return 1
    }
  }

  private func reason(of error: any Error) -> String {
    switch error {
    case MemeError.storageFull:
      "the disk of \(order.folder) is full; free some space, then run the same command to continue"
    default: error.reason
    }
  }

  private func tell(_ text: String) {
    progress.clear()
    FileHandle.standardError.put("\(text)\n")
  }
}
