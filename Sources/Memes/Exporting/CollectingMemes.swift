import Bytes

/// Takes memes out into a folder: their originals, what was drawn of them, and a list by which ``Importing`` makes them
/// elsewhere.
package struct CollectingMemes: Sendable {
  private static let pageCount = 64
  private static let attempts = 5

  private let collection: any MemeCollection
  private let folder: any MemeFolder
  private let digest: Digester
  private let parallel: Int

  /// - Parameter parallel: memes whose files are read and written at once.
  package init(
    collection: any MemeCollection, folder: any MemeFolder, digest: @escaping Digester,
    parallel: Int
  ) {
    (self.collection, self.folder, self.digest) = (collection, folder, digest)
    self.parallel = max(1, parallel)
  }

  /// Takes out one meme after the other, each as it is when its turn comes. What is made meanwhile may be missing.
  ///
  /// - Parameters:
  ///   - author: whose alone; `nil`: everybody's and nobody's.
  ///   - isStopped: asked before each page of memes; the list is not written then.
  ///   - report: gets memes that cannot be read whole. They are left out.
  ///   - progress: told now and then how many of how many are done.
  /// - Throws: what the store and the folder throw.
  package func run(
    of author: UserID?, isStopped: () -> Bool, report: (MemeID, _ reason: String) -> Void,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> CollectionSummary {
    let all = Int64(try collection.count(of: author))
    var (summary, place) = (CollectionSummary(), CollectionPlace.start)
    var paths: Set<String> = []
    var done: Int64 = 0
    while true {
      progress(min(done, all), all)
      guard !isStopped() else { return summary }
      let page = try collection.memes(of: author, after: place, limit: Self.pageCount)
      guard let last = page.last else { break }
      for outcome in try await copy(page.map(\.meme)) {
        switch outcome {
        case .copied(let meme, let written):
          try folder.list(meme, picture: meme.path(of: .original))
          paths.formUnion(meme.paths)
          summary.memes += 1
          summary.filesWritten += written
        case .damaged(let meme, let reason):
          // An export before this one may have it whole.
          paths.formUnion(meme.paths)
          summary.damaged += 1
          report(meme.id, reason)
        case .gone: break
        }
      }
      place = last.place
      done += Int64(page.count)
    }
    try folder.finish(keeping: paths)
    summary.isWhole = true
    return summary
  }

  private enum Outcome: Sendable {
    case copied(Meme, written: Int)
    case damaged(Meme, String)
    case gone
  }

  /// - Returns: what became of each, in their order.
  private func copy(_ memes: [Meme]) async throws -> [Outcome] {
    var outcomes = [Outcome](repeating: .gone, count: memes.count)
    try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      for (index, meme) in memes.enumerated() {
        if index >= parallel, let (index, outcome) = try await group.next() {
          outcomes[index] = outcome
        }
        group.addTask { (index, try copy(meme)) }
      }
      for try await (index, outcome) in group { outcomes[index] = outcome }
    }
    return outcomes
  }

  private func copy(_ meme: Meme) throws -> Outcome {
    var meme = meme
    for _ in 1...Self.attempts {
      do {
        let written = try copy(.original, of: meme) + copy(.image, of: meme)
        return .copied(meme, written: written)
      } catch MemeError.versionMismatch, MemeError.notFound, MemeError.gone {
        guard let edited = try collection.meme(meme.id) else { return .gone }
        meme = edited
      } catch MemeError.storage(let error) {
        return .damaged(meme, "\(error)")
      } catch let damage as Damage {
        return .damaged(meme, damage.reason)
      }
    }
    throw MemeError.storageBusy
  }

  private struct Damage: Error { let reason: String }

  /// - Returns: how many files were written.
  private func copy(_ role: PictureRole, of meme: Meme) throws -> Int {
    let (facts, path) = (meme.facts(of: role), meme.path(of: role))
    if try folder.holds(facts, at: path) { return 0 }
    let bytes = try collection.file(role, of: meme.id, at: meme.version)
    guard digest(bytes) == facts.digest else {
      throw Damage(
        reason: "the bytes of its \(role == .original ? "original" : "image") have another digest")
    }
    try folder.write(bytes, at: path)
    return 1
  }
}

/// What was taken out.
package struct CollectionSummary: Sendable, Equatable {
  package fileprivate(set) var memes = 0
  /// Of their files; the others were there.
  package fileprivate(set) var filesWritten = 0
  /// Memes that were left out.
  package fileprivate(set) var damaged = 0
  /// Whether it came to its end.
  package fileprivate(set) var isWhole = false
}

extension Meme {
  fileprivate var paths: [String] { [path(of: .original), path(of: .image)] }

  /// Where a file of it is in the folder. Ids lead out of none, and are two where a disk knows no capitals.
  fileprivate func path(of role: PictureRole) -> String {
    facts(of: role).format.fileName("\(role == .original ? "pictures" : "memes")/\(id)")
  }
}
