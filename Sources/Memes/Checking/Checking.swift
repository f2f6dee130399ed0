/// Looks at everything that is kept, and tells what is damaged. Changes nothing.
package struct Checking: Sendable {
  private let archive: any MemeArchive
  private let pictures: PictureCheck
  private let parallel: Int

  /// - Parameter parallel: pictures that are in memory at once, while they are read, digested and decoded.
  package init(
    archive: any MemeArchive, inspector: any PictureInspector, digest: @escaping Digester,
    parallel: Int
  ) {
    (self.archive, self.parallel) = (archive, max(1, parallel))
    pictures = PictureCheck(archive: archive, inspector: inspector, digest: digest)
  }

  /// Checks the structure, then memes with their pictures, then bytes that may have none.
  ///
  /// What is made after it began is left for the next time. What is deleted or purged meanwhile is no finding.
  ///
  /// - Parameters:
  ///   - report: gets each finding when it is found.
  ///   - progress: told now and then how many of how many rows are done.
  package func run(
    report: (Finding) -> Void, progress: (_ done: Int64, _ all: Int64) -> Void
  ) async -> CheckSummary {
    var summary = CheckSummary()
    func tell(_ findings: [Finding]) {
      summary.findings += findings.count
      findings.forEach(report)
    }
    tell(archive.structuralDamage())
    let extent: ArchiveExtent
    do throws(MemeError) { extent = try archive.extent() } catch {
      tell([Finding(.unreadableRow, "table=memes,blobs", error.reason)])
      return summary
    }
    let all = extent.lastMeme + extent.lastBlob

    var memes = Walk(table: "memes", end: extent.lastMeme)
    await withTaskGroup(of: PictureCheck.Outcome.self) { group in
      var running = 0
      while let start = memes.position {
        progress(start, all)
        let chunk = memes.step(number: \.sequence) { () throws(MemeError) in
          try archive.memes(after: start, upTo: extent.lastMeme, limit: Walk.chunk)
        }
        tell(chunk.findings)
        for meme in chunk.rows {
          summary.add(meme)
          tell(meme.findings)
          for (picture, hasBytes) in meme.pictures where hasBytes {
            if running == parallel, let outcome = await group.next() {
              running -= 1
              summary.add(outcome)
              tell(outcome.findings)
            }
            group.addTask { [pictures] in await pictures.check(picture, of: meme) }
            running += 1
          }
        }
      }
      for await outcome in group {
        summary.add(outcome)
        tell(outcome.findings)
      }
    }

    var blobs = Walk(table: "blobs", end: extent.lastBlob)
    while let start = blobs.position {
      progress(extent.lastMeme + start, all)
      let chunk = blobs.step(number: \.number) { () throws(MemeError) in
        try archive.blobs(after: start, upTo: extent.lastBlob, limit: Walk.chunk)
      }
      summary.blobs += chunk.rows.count
      tell(chunk.findings + chunk.rows.compactMap(\.finding))
    }
    return summary
  }
}

/// What a check has seen.
package struct CheckSummary: Sendable, Equatable {
  package fileprivate(set) var memes = 0
  /// Of ``memes``, those that are deleted and not purged.
  package fileprivate(set) var memesInTrash = 0
  package fileprivate(set) var pictures = 0
  /// Of all pictures that could be read.
  package fileprivate(set) var pictureBytes = 0
  package fileprivate(set) var blobs = 0
  package fileprivate(set) var findings: Int

  package init(findings: Int = 0) { self.findings = findings }

  fileprivate mutating func add(_ meme: ArchivedMeme) {
    memes += 1
    if meme.isInTrash { memesInTrash += 1 }
  }

  fileprivate mutating func add(_ outcome: PictureCheck.Outcome) {
    guard let bytes = outcome.bytes else { return }
    pictures += 1
    pictureBytes += bytes
  }
}
