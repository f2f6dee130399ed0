import API
import Bytes
import Memes
import Storage

/// Exports memes into a folder: the originals, the drawn images, and a list that ``MemeImport`` can read
/// on another server.
struct MemeExport: Sendable {
  private static let pageCount = 64
  private static let attempts = 5

  private let collection: MemeCollection
  private let folder: ExportFolder
  private let digest: Digester
  private let parallel: Int

  /// - Parameter parallel: the maximum number of memes whose files are copied at once.
  init(
    collection: MemeCollection, folder: ExportFolder, digest: @escaping Digester,
    parallel: Int
  ) {
    (self.collection, self.folder, self.digest) = (collection, folder, digest)
    self.parallel = max(1, parallel)
  }

  /// Exports the memes one by one, each in its current version. Memes made during the export may be missing.
  ///
  /// - Parameters:
  ///   - author: exports only the memes of this author; `nil` exports all memes.
  ///   - isStopped: called before each page of memes. If it returns `true`, the export ends without a list.
  ///   - report: receives memes that cannot be read completely. They are left out.
  ///   - progress: called periodically with the number of finished memes and of all memes.
  /// - Throws: the errors of the store and of the folder.
  func run(
    of author: UserID?, isStopped: () -> Bool, report: (MemeID, _ reason: String) -> Void,
    progress: (_ done: Int64, _ all: Int64) -> Void
  ) async throws -> CollectionSummary {
    let all = Int64(try collection.count(of: author))
    var (summary, place) = (CollectionSummary(), CollectionPlace.start)
    var (paths, damaged): (Set<String>, Set<MemeID>) = ([], [])
    var done: Int64 = 0
    while true {
      progress(min(done, all), all)
      guard !isStopped() else { return summary }
      let page = try collection.memes(of: author, after: place, limit: Self.pageCount)
      guard let last = page.last else { break }
      for outcome in try await copy(page) {
        switch outcome {
        case .copied(let meme, let boxed, let written):
          try folder.list(meme, MemeListText.Paths(picture: meme.path(of: .original), boxed: boxed))
          paths.formUnion(meme.paths + boxed)
          summary.memes += 1
          summary.filesWritten += written
        case .damaged(let id, let reason):
          damaged.insert(id)
          summary.damaged += 1
          report(id, reason)
        case .gone: break
        }
      }
      place = last.place
      done += Int64(page.count)
    }
    try folder.finish(keeping: paths, damaged: damaged)
    summary.isWhole = true
    return summary
  }

  private enum Outcome: Sendable {
    /// - Parameter boxed: the paths of the pictures in boxes.
    case copied(Meme, boxed: [String], written: Int)
    case damaged(MemeID, String)
    case gone
  }

  /// - Returns: the outcome for each meme, in the same order.
  private func copy(_ entries: [MemeCollection.Entry]) async throws -> [Outcome] {
    var outcomes = [Outcome](repeating: .gone, count: entries.count)
    try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      for (index, entry) in entries.enumerated() {
        if index >= parallel, let (index, outcome) = try await group.next() {
          outcomes[index] = outcome
        }
        group.addTask { (index, try copy(entry)) }
      }
      for try await (index, outcome) in group { outcomes[index] = outcome }
    }
    return outcomes
  }

  private func copy(_ entry: MemeCollection.Entry) throws -> Outcome {
    switch entry.meme {
    case .success(let meme): try copy(meme)
    case .failure(let error): .damaged(entry.id, "\(error)")
    }
  }

  private func copy(_ meme: Meme) throws -> Outcome {
    var meme = meme
    for _ in 1...Self.attempts {
      do {
        let written = try copy(.original, of: meme) + copy(.image, of: meme)
        let boxed = try meme.recipe.pictures.indices.map { try copyBoxed($0, of: meme) }
        return .copied(
          meme, boxed: boxed.map(\.path), written: boxed.reduce(written) { $0 + $1.written })
      } catch MemeError.versionMismatch, MemeError.notFound, MemeError.gone {
        guard let edited = try collection.meme(meme.id) else { return .gone }
        if edited.version == meme.version {
          return .damaged(meme.id, "one of its pictures is missing")
        }
        meme = edited
      } catch MemeError.storage(let error) {
        return .damaged(meme.id, "\(error)")
      } catch let damage as Damage {
        return .damaged(meme.id, damage.reason)
      }
    }
    throw MemeError.storageBusy
  }

  private struct Damage: Error { let reason: String }

  /// - Returns: the number of files written.
  private func copy(_ role: PictureRole, of meme: Meme) throws -> Int {
    let (facts, path) = (meme.facts(of: role), meme.path(of: role))
    if try folder.holds(facts, at: path) { return 0 }
    let bytes = try collection.file(role, of: meme.id, at: meme.version)
    guard digest(bytes) == facts.digest else {
      throw Damage(
        reason: "the \(role == .original ? "original" : "image") does not match its digest")
    }
    try folder.write(bytes, at: path)
    return 1
  }
}

extension MemeExport {
  private func copyBoxed(_ index: Int, of meme: Meme) throws -> (path: String, written: Int) {
    let file = try collection.boxedPicture(index, of: meme.id, at: meme.version)
    let path = file.facts.format.fileName("pictures/\(meme.id)-\(index + 1)")
    if try folder.holds(file.facts, at: path) { return (path, 0) }
    guard digest(file.bytes) == file.facts.digest else {
      throw Damage(reason: "the picture in box \(index + 1) does not match its digest")
    }
    try folder.write(file.bytes, at: path)
    return (path, 1)
  }
}

/// The result of an export.
struct CollectionSummary: Sendable, Equatable {
  fileprivate(set) var memes = 0
  /// The number of files written; the others existed already.
  fileprivate(set) var filesWritten = 0
  /// The number of memes that were left out.
  fileprivate(set) var damaged = 0
  /// Whether the export ran to its end.
  fileprivate(set) var isWhole = false
}

extension Meme {
  fileprivate var paths: [String] { [path(of: .original), path(of: .image)] }

  /// The path of a file in the folder. IDs contain no path separators, and stay distinct on
  /// case-insensitive file systems.
  fileprivate func path(of role: PictureRole) -> String {
    facts(of: role).format.fileName("\(role == .original ? "pictures" : "memes")/\(id)")
  }
}
