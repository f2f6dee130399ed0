import API
import Bytes
import Foundation
import Memes
import Metrics
import Storage

/// `mememe import`: makes memes from a folder of pictures and a list, and reports the rows that it could not import.
///
/// Exits 0 if every row is imported, 1 if one is not, 130 or 143 if a signal stopped the command.
final class ImportCommand {
  private let order: ImportOptions
  private let settings: Settings
  private let progress: ProgressLine
  private var counts = Counts()
  private var failed: [MemeList.Row] = []

  private struct Counts {
    var imported = 0
    var there = 0
    var deleted = 0
    var all: Int { imported + there + deleted }
  }

  init(_ order: ImportOptions, _ settings: Settings) {
    (self.order, self.settings) = (order, settings)
    progress = ProgressLine(order.isTrial ? "checking" : "importing", .things("rows"))
  }

  /// - Returns: the exit code.
  func run() async -> Int32 {
    let stop = StopSignal()
    do {
      let folder = try PictureFolder(order.folder, maximumBytes: settings.maxUploadBytes)
      let (name, text, kind) = try source(in: folder)
      let list: MemeList
      do throws(MemeList.Invalid) { list = try MemeList(text, kind) } catch {
        throw PictureFolder.Unusable(description: "\(name): \(error)")
      }
      try await run(list, from: folder, until: stop)
      if let code = stop.exitCode, counts.all + failed.count < list.rows.count {
        tell("stopped; run the same command to continue")
        report()
        return code
      }
      try keepFailed(of: list, named: name, in: folder)
    } catch {
      progress.clear()
      if counts.all > 0 { report() }
      tell("mememe: \(reason(of: error))")
      return 1
    }
    report()
    return failed.isEmpty ? 0 : 1
  }

  private func source(
    in folder: PictureFolder
  ) throws -> (name: String, text: Bytes, kind: MemeList.Kind) {
    if order.isWithoutCaptions { return ("memes.jsonl", folder.listOfPictures(), .jsonLines) }
    if let list = try folder.list(named: order.list) { return list }
    throw PictureFolder.Unusable(
      description: """
        no memes.csv, memes.jsonl or memes.json in \(folder.path); \
        use --without-captions to import pictures without a list
        """)
  }

  private func run(
    _ list: MemeList, from folder: PictureFolder, until stop: StopSignal
  ) async throws {
    let desk = try await ImportCommandContext(
      settings, from: folder, as: order.authors, isTrial: order.isTrial)
    let replaced = Counter()
    let read: MemeImport.ReadRow = { [rules = desk.rules] place in
      do throws(RowFault) {
        let row = try list.read(list.rows[place], rules)
        if !row.replaced.isEmpty { replaced.add() }
        return .success(row)
      } catch { return .failure(error) }
    }
    defer { tellReplaced(replaced.value) }
    let all = Int64(list.rows.count)
    progress.show(0, of: all)
    do {
      try await desk.importing.run(
        list.rows.count, read: read, isStopped: { stop.hasCome }
      ) { place, outcome in
        count(outcome, of: list.rows[place], in: list)
        progress.show(Int64(counts.all + failed.count), of: all)
      }
    } catch {
      await desk.end()
      throw error
    }
    await desk.end()
    progress.clear()
  }

  private func tellReplaced(_ count: Int) {
    guard count > 0 else { return }
    progress.clear()
    tell("replaced control characters with spaces in \(count == 1 ? "1 row" : "\(count) rows")")
  }

  private func count(_ outcome: ImportOutcome, of row: MemeList.Row, in list: MemeList) {
    switch outcome {
    case .imported: counts.imported += 1
    case .there: counts.there += 1
    case .deleted: counts.deleted += 1
    case .failed(let fault):
      failed.append(row)
      progress.clear()
      let place = ["line \(row.line)", list.file(of: row)].compactMap(\.self).joined(
        separator: ", ")
      let reasons = fault.reasons.map { reason in
        reason.field.map { "\($0): \(reason.message)" } ?? reason.message
      }
      tell("\(place): \(reasons.joined(separator: " "))")
    }
  }

  /// Writes the failed rows next to the list, so that the operator can correct and import them.
  private func keepFailed(of list: MemeList, named name: String, in folder: PictureFolder) throws {
    guard !order.isTrial else { return }
    let path = name as NSString
    let stem = path.deletingPathExtension
    let failedName = stem.hasSuffix("-failed") ? name : "\(stem)-failed.\(path.pathExtension)"
    if failed.isEmpty {
      if failedName != name { try folder.replace(failedName, by: nil) }
      return
    }
    try folder.replace(failedName, by: list.copy(of: failed))
    tell(
      "failed rows are in \(failedName); correct them, then run mememe import … --list \(failedName)"
    )
  }

  private func report() {
    let verb = order.isTrial ? "would import" : "imported"
    print(
      """
      \(verb) \(counts.imported) memes into \(settings.dataFolder); \(counts.there) already imported, \
      \(counts.deleted) deleted earlier, \(failed.count) failed
      """)
  }

  private func reason(of error: any Error) -> String {
    switch error {
    case is DataFolder.InUse:
      "\(error); stop the server before the import"
    case MemeError.storageFull: "the disk is full; the rows reported above are imported"
    default: error.reason
    }
  }

  private func tell(_ text: String) {
    FileHandle.standardError.put("\(text.forTerminal)\n")
  }
}
