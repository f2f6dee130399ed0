/// Looks at everything that is kept, and tells what is damaged. Changes nothing.
package struct Checking: Sendable {
  private let archive: any MemeArchive
  private let pictures: PictureCheck
  private let parallel: Int
  private let isOfCopy: Bool

  /// - Parameters:
  ///   - inspector: decodes the pictures; with `nil` it is enough that all is what was stored.
  ///   - parallel: pictures that are in memory at once, while they are read, digested and decoded.
  ///   - isOfCopy: whether it is a copy that is looked at, which is as good as what it is of: what is counted is left out.
  package init(
    archive: any MemeArchive, inspector: (any PictureInspector)?, digest: @escaping Digester,
    parallel: Int, isOfCopy: Bool = false
  ) {
    (self.archive, self.parallel) = (archive, max(1, parallel))
    pictures = PictureCheck(inspector: inspector, digest: digest)
    self.isOfCopy = isOfCopy
  }

  /// Checks the structure and what is counted, then memes, uploads, templates and people with their pictures, then bytes that may
  /// belong to nothing.
  ///
  /// What is made after it began is left for the next time. What is deleted or purged meanwhile is no finding. It ends early, with
  /// what was seen so far, where the task is cancelled.
  ///
  /// - Parameters:
  ///   - report: gets each finding when it is found.
  ///   - progress: told now and then how many of how many rows are done.
  package func run(
    report: (Finding) -> Void, progress: (_ done: Int64, _ all: Int64) -> Void
  ) async -> CheckSummary {
    var summary = CheckSummary()
    summary.tell(archive.structuralDamage(), report)
    if !isOfCopy { summary.tell(archive.wrongNumbers(), report) }
    let extent: ArchiveExtent
    do throws(MemeError) { extent = try archive.extent() } catch {
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
      (start, summary) throws(MemeError) -> [ArchivedMeme] in
      progress(start, all)
      let memes = try archive.memes(after: start, upTo: extent.lastMeme, limit: Walk.chunk)
      memes.forEach { summary.add($0) }
      return memes
    }
    await check("uploads", upTo: extent.lastUpload, &summary, report) {
      (start, summary) throws(MemeError) -> [ArchivedUpload] in
      progress(first + start, all)
      let uploads = try archive.uploads(after: start, upTo: extent.lastUpload, limit: Walk.chunk)
      summary.uploads += uploads.count
      return uploads
    }
    await check("unfinished_uploads", upTo: extent.lastUnfinishedUpload, &summary, report) {
      (start, summary) throws(MemeError) -> [ArchivedUnfinishedUpload] in
      progress(unfinished + start, all)
      let uploads = try archive.unfinishedUploads(
        after: start, upTo: extent.lastUnfinishedUpload, limit: Walk.chunk)
      summary.unfinishedUploads += uploads.count
      return uploads
    }
    await check("templates", upTo: extent.lastTemplate, &summary, report) {
      (start, summary) throws(MemeError) -> [ArchivedTemplate] in
      progress(second + start, all)
      let templates = try archive.templates(
        after: start, upTo: extent.lastTemplate, limit: Walk.chunk)
      summary.templates += templates.count
      return templates
    }

    await check("avatars", upTo: extent.lastAvatar, &summary, report) {
      (start, summary) throws(MemeError) -> [ArchivedAvatar] in
      progress(third + start, all)
      let avatars = try archive.avatars(after: start, upTo: extent.lastAvatar, limit: Walk.chunk)
      summary.avatars += avatars.count
      return avatars
    }

    var blobs = Walk(table: "blobs", end: extent.lastBlob)
    while !Task.isCancelled, let start = blobs.position {
      progress(fourth + start, all)
      let chunk = blobs.step(number: \.number) { () throws(MemeError) in
        try archive.blobs(after: start, upTo: extent.lastBlob, limit: Walk.chunk)
      }
      summary.blobs += chunk.rows.count
      summary.tell(chunk.findings + chunk.rows.compactMap(\.finding), report)
    }
    return summary
  }

  /// Walks a table and checks its rows' pictures, those of some rows at once.
  ///
  /// - Parameter read: the rows that follow a number.
  private func check<Row: ArchivedRow>(
    _ table: String, upTo end: Int64, _ summary: inout CheckSummary, _ report: (Finding) -> Void,
    _ read: (Int64, inout CheckSummary) throws(MemeError) -> [Row]
  ) async {
    var walk = Walk(table: table, end: end)
    await withTaskGroup(of: PictureCheck.Outcome.self) { group in
      var running = 0
      while !Task.isCancelled, let start = walk.position {
        let chunk = walk.step(number: \Row.sequence) { () throws(MemeError) in
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

/// What a check has seen.
package struct CheckSummary: Sendable, Equatable {
  package fileprivate(set) var memes = 0
  /// Of ``memes``, those that are deleted and not purged.
  package fileprivate(set) var memesInTrash = 0
  /// Those that are not purged.
  package fileprivate(set) var uploads = 0
  package fileprivate(set) var unfinishedUploads = 0
  package fileprivate(set) var templates = 0
  /// People who have pictures.
  package fileprivate(set) var avatars = 0
  /// Of memes, uploads, templates and people.
  package fileprivate(set) var pictures = 0
  /// Of all pictures that could be read.
  package fileprivate(set) var pictureBytes = 0
  package fileprivate(set) var blobs = 0
  package fileprivate(set) var findings: Int
  /// Of ``findings``, those that can be mended.
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
