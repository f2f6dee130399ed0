package import Memes
package import Rendering
package import Storage

/// Repairs the findings of a check, as far as possible.
///
/// Requires exclusive write access to the database.
package struct Repairs: Sendable {
  let archive: MemeArchive
  let store: RepairStore
  let renderers: Renderers
  /// For recipes that specify none.
  let defaultMaxEdge: MaxEdge
  let digest: Digester
  private let now: @Sendable () -> Timestamp

  /// The renderers for repairs.
  package struct Renderers: Sendable {
    /// Accepts the formats of originals.
    let originals: PooledRenderer
    /// Accepts every format that the server itself writes.
    let renders: PooledRenderer

    package init(originals: PooledRenderer, renders: PooledRenderer) {
      (self.originals, self.renders) = (originals, renders)
    }
  }

  package init(
    archive: MemeArchive, store: RepairStore, renderers: Renderers, defaultMaxEdge: MaxEdge,
    digest: @escaping Digester, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.archive, self.store, self.renderers) = (archive, store, renderers)
    (self.defaultMaxEdge, self.digest, self.now) = (defaultMaxEdge, digest, now)
  }

  /// Repairs the findings that can be repaired. A failed repair does not undo the others.
  ///
  /// - Parameters:
  ///   - report: receives a line for each repair and for each failure.
  ///   - progress: called with the number of finished jobs and of all jobs.
  /// - Returns: the number of successful jobs.
  package func repair(
    _ findings: [Finding], report: (String) -> Void,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) async -> Int {
    let jobs = Self.jobs(findings)
    var repaired = 0
    for (index, job) in jobs.enumerated() {
      progress(Int64(index), Int64(jobs.count))
      do {
        report("repaired \(job.place): \(try await repair(job.repairs))")
        repaired += 1
      } catch {
        report("cannot repair \(job.place): \(error.reason)")
      }
    }
    return repaired
  }

  private struct Job {
    let place: String
    var repairs: [RepairAction]
  }

  /// Groups findings into jobs, in order: the pictures of a meme are drawn together, and orphaned bytes are
  /// deleted in groups.
  private static func jobs(_ findings: [Finding]) -> [Job] {
    var (jobs, places): ([Job], [Subject: Int]) = ([], [:])
    for finding in findings {
      guard let repair = finding.repair else { continue }
      let subject = Subject(repair, at: jobs.count)
      if let index = places[subject], jobs[index].repairs.count < 100 {
        if !jobs[index].repairs.contains(repair) { jobs[index].repairs.append(repair) }
      } else {
        places[subject] = jobs.count
        jobs.append(Job(place: subject.place ?? finding.place, repairs: [repair]))
      }
    }
    return jobs.enumerated().sorted {
      let (one, other) = ($0.element.repairs[0].turn, $1.element.repairs[0].turn)
      return one == other ? $0.offset < $1.offset : one < other
    }.map(\.element)
  }

  private enum Subject: Hashable {
    case pictures(meme: Int64)
    case blobs
    case other(RepairAction)

    init(_ repair: RepairAction, at place: Int) {
      switch repair {
      case .picture(_, let meme): self = .pictures(meme: meme)
      case .blob: self = .blobs
      default: self = .other(repair)
      }
    }

    var place: String? { if case .blobs = self { "blobs" } else { nil } }
  }

  /// - Returns: a description of the repair.
  private func repair(_ repairs: [RepairAction]) async throws -> String {
    switch repairs[0] {
    case .references(let table):
      return "removed dangling references from \(try await store.repairReferences(of: table)) rows"
    case .facts(let number, let meme): return try await repairFacts(of: number, of: meme)
    case .surplus(let number, let meme):
      try await store.remove(number, of: meme)
      return "removed"
    case .picture(_, let meme):
      let roles = repairs.compactMap { if case .picture(let role, _) = $0 { role } else { nil } }
      return try await repair(Set(roles), of: meme)
    case .derived(let width, let format, let meme):
      try await store.removeDerived(width: width, format: format, of: meme)
      return "removed; regenerated on request"
    case .thumbnail(let template): return try await repairThumbnail(of: template)
    case .avatar(let size, let person): return try await repairAvatar(size, of: person)
    case .unfinishedUpload(let upload):
      try await store.removeUnfinishedUpload(upload)
      return "removed; the client must start again"
    case .blob:
      let blobs = repairs.compactMap { if case .blob(let number) = $0 { number } else { nil } }
      try await store.removeBlobs(blobs[...])
      return "removed \(blobs.count) orphaned blobs"
    case .count(let table, let column):
      return "recounted in \(try await store.recount(column, of: table)) rows"
    case .changes:
      return "rewrote the changes of \(try await store.rewriteChanges(at: now())) memes"
    case .tags: return "rewrote the tags of \(try await store.rewriteTags()) memes"
    }
  }
}
