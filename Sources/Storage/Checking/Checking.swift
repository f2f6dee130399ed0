package import Memes

/// Checks all stored data and reports damage. Changes nothing.
package struct Checking: Sendable {
  private let archive: MemeArchive
  private let pictures: PictureCheck
  private let parallel: Int
  private let isOfCopy: Bool

  /// - Parameters:
  ///   - inspection: decodes the pictures; with `nil`, only the stored bytes are verified.
  ///   - parallel: the maximum number of pictures in memory while they are read, digested and decoded.
  ///   - isOfCopy: whether the archive is a copy. Then counters and recorded changes are not checked, because a copy
  ///     has those of its source.
  package init(
    archive: MemeArchive, inspection: PictureInspection?, digest: @escaping Digester,
    parallel: Int, isOfCopy: Bool = false
  ) {
    (self.archive, self.parallel) = (archive, max(1, parallel))
    pictures = PictureCheck(inspection: inspection, digest: digest)
    self.isOfCopy = isOfCopy
  }

  /// Checks the database structure and the counters, then memes, uploads, templates and avatars with their pictures,
  /// then orphaned bytes.
  ///
  /// Rows created after the check began are left for the next check. Rows deleted or purged during the check are not
  /// findings. If the task is canceled, the check ends early and returns the results so far.
  ///
  /// - Parameters:
  ///   - report: receives each finding as soon as it is found.
  ///   - progress: called periodically with the number of checked rows and of all rows.
  package func run(
    report: (Finding) -> Void, progress: (_ done: Int64, _ all: Int64) -> Void
  ) async -> CheckSummary {
    var summary = CheckSummary()
    summary.tell(archive.structuralDamage(), report)
    if !isOfCopy { summary.tell(archive.wrongNumbers(), report) }
    let extent: ArchiveExtent
    do { extent = try archive.extent() } catch {
      summary.tell(
        [
          Finding(
            .unreadableRow, "table=memes,uploads,unfinished_uploads,templates,avatars,blobs",
            error.reason)
        ],
        report)
      return summary
    }
    let first = extent.lastMeme
    let unfinished = first + extent.lastUpload
    let second = unfinished + extent.lastUnfinishedUpload
    let third = second + extent.lastTemplate
    let fourth = third + extent.lastAvatar
    let all = fourth + extent.lastBlob

    await check("memes", upTo: extent.lastMeme, &summary, report) {
      (start, summary) throws -> [ArchivedMeme] in
      progress(start, all)
      let memes = try archive.memes(after: start, upTo: extent.lastMeme, limit: TableScan.chunk)
      memes.forEach { summary.add($0) }
      return memes
    }
    await check("uploads", upTo: extent.lastUpload, &summary, report) {
      (start, summary) throws -> [ArchivedUpload] in
      progress(first + start, all)
      let uploads = try archive.uploads(
        after: start, upTo: extent.lastUpload, limit: TableScan.chunk)
      summary.uploads += uploads.count
      return uploads
    }
    await check("unfinished_uploads", upTo: extent.lastUnfinishedUpload, &summary, report) {
      (start, summary) throws -> [ArchivedUnfinishedUpload] in
      progress(unfinished + start, all)
      let uploads = try archive.unfinishedUploads(
        after: start, upTo: extent.lastUnfinishedUpload, limit: TableScan.chunk)
      summary.unfinishedUploads += uploads.count
      return uploads
    }
    await check("templates", upTo: extent.lastTemplate, &summary, report) {
      (start, summary) throws -> [ArchivedTemplate] in
      progress(second + start, all)
      let templates = try archive.templates(
        after: start, upTo: extent.lastTemplate, limit: TableScan.chunk)
      summary.templates += templates.count
      return templates
    }

    await check("avatars", upTo: extent.lastAvatar, &summary, report) {
      (start, summary) throws -> [ArchivedAvatar] in
      progress(third + start, all)
      let avatars = try archive.avatars(
        after: start, upTo: extent.lastAvatar, limit: TableScan.chunk)
      summary.avatars += avatars.count
      return avatars
    }

    var blobs = TableScan(table: "blobs", end: extent.lastBlob)
    while !Task.isCancelled, let start = blobs.position {
      progress(fourth + start, all)
      let chunk = blobs.step(number: \.number) {
        try archive.blobs(after: start, upTo: extent.lastBlob, limit: TableScan.chunk)
      }
      summary.blobs += chunk.rows.count
      summary.tell(chunk.findings + chunk.rows.compactMap(\.finding), report)
    }
    return summary
  }

  /// Scans a table and checks the pictures of its rows, several rows at once.
  ///
  /// - Parameter read: returns the rows after a sequence number.
  private func check<Row: ArchivedRow>(
    _ table: String, upTo end: Int64, _ summary: inout CheckSummary, _ report: (Finding) -> Void,
    _ read: (Int64, inout CheckSummary) throws -> [Row]
  ) async {
    var walk = TableScan(table: table, end: end)
    await withTaskGroup(of: PictureCheck.Outcome.self) { group in
      var running = 0
      while !Task.isCancelled, let start = walk.position {
        let chunk = walk.step(number: \Row.sequence) {
          try read(start, &summary)
        }
        summary.tell(chunk.findings, report)
        for row in chunk.rows {
          if running == parallel, let outcome = await group.next() {
            running -= 1
            summary.add(outcome, report)
          }
          group.addTask { [pictures, archive] in await pictures.check(row, in: archive) }
          running += 1
        }
      }
      for await outcome in group { summary.add(outcome, report) }
    }
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
  package fileprivate(set) var mendable = 0

  package init(findings: Int = 0) { self.findings = findings }

  fileprivate mutating func tell(_ findings: [Finding], _ report: (Finding) -> Void) {
    self.findings += findings.count
    mendable += findings.count { $0.mending != nil }
    findings.forEach(report)
  }

  fileprivate mutating func add(_ meme: ArchivedMeme) {
    memes += 1
    if meme.isInTrash { memesInTrash += 1 }
  }

  fileprivate mutating func add(_ outcome: PictureCheck.Outcome, _ report: (Finding) -> Void) {
    tell(outcome.findings, report)
    pictures += outcome.pictures
    pictureBytes += outcome.bytes
  }
}
