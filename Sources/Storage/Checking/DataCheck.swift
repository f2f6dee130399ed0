package import Memes

/// Checks all stored data and reports damage. Changes nothing.
package struct DataCheck: Sendable {
  private let archive: MemeArchive
  private let pictures: PictureCheck
  private let parallel: Int
  private let isOfCopy: Bool

  /// - Parameters:
  ///   - inspection: decodes the pictures; with `nil`, only the stored bytes are verified.
  ///   - parallel: the maximum number of pictures in memory while they are read, digested and decoded.
  ///   - isOfCopy: whether the archive is a copy. Then counters, recorded changes and the tags of searches are not
  ///     checked, because a copy has those of its source.
  package init(
    archive: MemeArchive, inspection: PictureInspection?, digest: @escaping Digester,
    parallel: Int, isOfCopy: Bool = false
  ) {
    (self.archive, self.parallel) = (archive, max(1, parallel))
    pictures = PictureCheck(inspection: inspection, digest: digest)
    self.isOfCopy = isOfCopy
  }

  /// Checks the database structure and what is derived from other rows, then memes, uploads, templates and avatars with
  /// their pictures, then orphaned bytes.
  ///
  /// Rows created after the check began are left for the next check. Rows deleted or purged during the check are not
  /// findings. If the task is canceled, the check ends early and returns the results so far.
  ///
  /// - Parameters:
  ///   - report: receives each finding as soon as it is found.
  ///   - progress: called periodically with the number of checked rows and of all rows.
  /// - Throws: `ObjectError` if the object store does not answer.
  package func run(
    report: (Finding) -> Void, progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> CheckSummary {
    var summary = CheckSummary()
    summary.add(archive.structuralDamage(), report)
    if !isOfCopy { summary.add(archive.wrongNumbers(), report) }
    let extent: ArchiveExtent
    do { extent = try archive.extent() } catch {
      let tables = "table=memes,uploads,unfinished_uploads,templates,avatars,blobs"
      summary.add([Finding(.unreadableRow, tables, error.reason)], report)
      return summary
    }
    var state = CheckState(all: extent.all, summary: summary)
    try await check(
      CheckedTable("memes", \.sequence, upTo: extent.lastMeme, archive.memes) { $0.add($1) },
      &state, report, progress)
    try await check(
      CheckedTable("uploads", \.sequence, upTo: extent.lastUpload, archive.uploads) {
        $0.uploads += $1.count
      }, &state, report, progress)
    try await check(
      CheckedTable(
        "unfinished_uploads", \.sequence, upTo: extent.lastUnfinishedUpload,
        archive.unfinishedUploads
      ) { $0.unfinishedUploads += $1.count }, &state, report, progress)
    try await check(
      CheckedTable("templates", \.sequence, upTo: extent.lastTemplate, archive.templates) {
        $0.templates += $1.count
      }, &state, report, progress)
    try await check(
      CheckedTable("avatars", \.sequence, upTo: extent.lastAvatar, archive.avatars) {
        $0.avatars += $1.count
      }, &state, report, progress)
    var blobs = CheckedTable("blobs", \.number, upTo: extent.lastBlob, archive.blobs) {
      $0.blobs += $1.count
    }
    while let rows = blobs.next(&state, report, progress) {
      state.summary.add(rows.compactMap(\.finding), report)
    }
    return state.summary
  }

  /// Scans a table and checks the pictures of its rows, several rows at once.
  private func check<Row: ArchivedRow>(
    _ table: CheckedTable<Row>, _ state: inout CheckState, _ report: (Finding) -> Void,
    _ progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws {
    var table = table
    try await withThrowingTaskGroup(of: PictureCheck.Outcome.self) { group in
      var running = 0
      while let rows = table.next(&state, report, progress) {
        for row in rows {
          if running == parallel, let outcome = try await group.next() {
            running -= 1
            state.summary.add(outcome, report)
          }
          group.addTask { [pictures, archive] in try await pictures.check(row, in: archive) }
          running += 1
        }
      }
      for try await outcome in group { state.summary.add(outcome, report) }
    }
  }
}

/// The state of a check while it scans one table after the other.
private struct CheckState {
  /// The sum of the highest row numbers of the tables before the current one.
  var done: Int64 = 0
  /// The sum of the highest row numbers of all tables.
  let all: Int64
  var summary: CheckSummary
}

/// A table that a check reads in chunks of rows.
private struct CheckedTable<Row> {
  private let number: (Row) -> Int64
  private let end: Int64
  private let read: (_ number: Int64, _ end: Int64, _ limit: Int) throws -> [Row]
  private let count: (inout CheckSummary, [Row]) -> Void
  private var scan: TableScan

  /// - Parameters:
  ///   - name: the name in findings.
  ///   - number: returns the number of a row.
  ///   - end: the highest number.
  ///   - read: returns the rows after a number, up to another one and at most `limit`, in the order of their numbers.
  ///   - count: counts rows in the summary.
  init(
    _ name: String, _ number: @escaping (Row) -> Int64, upTo end: Int64,
    _ read: @escaping (_ number: Int64, _ end: Int64, _ limit: Int) throws -> [Row],
    count: @escaping (inout CheckSummary, [Row]) -> Void
  ) {
    (self.number, self.end, self.read, self.count) = (number, end, read, count)
    scan = TableScan(table: name, end: end)
  }

  /// Reads and counts the next chunk, and reports it if it cannot be read.
  ///
  /// - Returns: the rows, which may be none; `nil` at the end of the table, or if the task is canceled.
  mutating func next(
    _ state: inout CheckState, _ report: (Finding) -> Void,
    _ progress: (_ done: Int64, _ all: Int64) -> Void
  ) -> [Row]? {
    guard !Task.isCancelled, let start = scan.position else {
      state.done += end
      return nil
    }
    progress(state.done + start, state.all)
    let chunk = scan.step(number: number) { [read, end] in try read(start, end, TableScan.chunk) }
    count(&state.summary, chunk.rows)
    state.summary.add(chunk.findings, report)
    return chunk.rows
  }
}

/// The result of a check.
package struct CheckSummary: Sendable, Equatable {
  package fileprivate(set) var memes = 0
  /// The number of ``memes`` that are deleted but not purged.
  package fileprivate(set) var memesInTrash = 0
  /// The number of uploads that are not purged.
  package fileprivate(set) var uploads = 0
  package fileprivate(set) var unfinishedUploads = 0
  package fileprivate(set) var templates = 0
  /// The number of people with pictures.
  package fileprivate(set) var avatars = 0
  /// The number of pictures of memes, uploads, templates and people.
  package fileprivate(set) var pictures = 0
  /// The size of all readable pictures.
  package fileprivate(set) var pictureBytes = 0
  package fileprivate(set) var blobs = 0
  package fileprivate(set) var findings: Int
  /// The number of ``findings`` that can be repaired.
  package fileprivate(set) var repairable = 0

  package init(findings: Int = 0) { self.findings = findings }

  fileprivate mutating func add(_ findings: [Finding], _ report: (Finding) -> Void) {
    self.findings += findings.count
    repairable += findings.count { $0.repair != nil }
    findings.forEach(report)
  }

  fileprivate mutating func add(_ memes: [ArchivedMeme]) {
    self.memes += memes.count
    memesInTrash += memes.count(where: \.isInTrash)
  }

  fileprivate mutating func add(_ outcome: PictureCheck.Outcome, _ report: (Finding) -> Void) {
    add(outcome.findings, report)
    pictures += outcome.pictures
    pictureBytes += outcome.bytes
  }
}
