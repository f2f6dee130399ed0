import Foundation
import Memes

/// `mememe templates`: imports templates from a folder, or exports them.
///
/// Exits 0 if no template failed, 1 if one did, 130 or 143 if a signal stopped the command.
struct TemplatesCommand {
  private let order: TemplatesOptions
  private let settings: Settings
  private let progress: ProgressLine

  init(_ order: TemplatesOptions, _ settings: Settings) {
    (self.order, self.settings) = (order, settings)
    let verb = if case .import = order { "importing" } else { "exporting" }
    progress = ProgressLine(verb, .things("templates"))
  }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    let stop = StopSignal()
    do {
      switch order {
      case .import(let folder): return try await bring(from: folder, until: stop)
      case .export(let folder): return try await write(to: folder, until: stop)
      }
    } catch {
      tell("mememe: \(error.reason)")
      return 1
    }
  }

  private func bring(from path: String, until stop: StopSignal) async throws -> Int32 {
    let folder = try PictureFolder(path, maximumBytes: settings.maxUploadBytes)
    let context = try await TemplatesCommandContext(settings)
    do {
      let code = try await bring(try await context.importing(folder), from: path, until: stop)
      await context.close()
      return code
    } catch {
      await context.close()
      throw error
    }
  }

  private func bring(
    _ importing: TemplateImport, from path: String, until stop: StopSignal
  ) async throws -> Int32 {
    let names = importing.names
    guard !names.isEmpty else {
      throw PictureFolder.Unusable(
        description: "no subfolder of \(path) has template.json or config.yml")
    }
    var (imported, there, deleted, failed) = (0, 0, 0, 0)
    for (count, name) in names.enumerated() where !stop.hasCome {
      progress.show(Int64(count), of: Int64(names.count))
      switch try await importing.take(name, at: .now()) {
      case .imported: imported += 1
      case .there: there += 1
      case .deleted: deleted += 1
      case .failed(let fault):
        failed += 1
        let reasons = fault.reasons.map { reason in
          reason.field.map { "\($0): \(reason.message)" } ?? reason.message
        }
        tell("skipped \(name): \(reasons.joined(separator: " "))")
      }
    }
    progress.clear()
    if let code = stop.exitCode, imported + there + deleted + failed < names.count {
      tell("stopped; run the same command to continue")
      return code
    }
    print(
      """
      imported \(imported) templates; \(there) already imported, \(deleted) deleted earlier, \(failed) failed
      """)
    return failed == 0 ? 0 : 1
  }

  private func write(to path: String, until stop: StopSignal) async throws -> Int32 {
    let context = try await TemplatesCommandContext(settings)
    do {
      let (written, damaged) = try await context.exporting(to: path).run(
        isStopped: { stop.hasCome },
        report: { id, reason in
          tell("skipped template \(id): \(reason); run mememe check for details")
        }, progress: { progress.show($0, of: $1) })
      await context.close()
      progress.clear()
      if let code = stop.exitCode {
        tell("stopped; run the same command to export all templates")
        return code
      }
      print(
        "exported \(written) templates to \(path)\(damaged > 0 ? "; \(damaged) skipped" : "")")
      return damaged == 0 ? 0 : 1
    } catch {
      await context.close()
      throw error
    }
  }

  private func tell(_ text: String) {
    progress.clear()
    FileHandle.standardError.put("\(text.forTerminal)\n")
  }
}
