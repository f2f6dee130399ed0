import Memes
import Services
import Storage

/// Makes memes from the rows of a list. Importing the same list again makes no duplicates.
///
/// Existing memes are not changed, and deleted memes stay deleted.
struct MemeImport: Sendable {
  let catalogue: ImportCatalogue
  let pictures: PictureFolder
  let mode: Mode
  let digest: Digester
  let now: @Sendable () -> Timestamp
  private let parallel: Int

  /// How valid rows are processed.
  enum Mode: Sendable {
    /// Draws and stores the memes.
    case storing(MemeDrawing, MemeStore, hasRoom: @Sendable () -> Bool)
    /// Only checks the pictures, and stores nothing.
    case checking(any PictureReader)
  }

  /// - Parameter parallel: the maximum number of rows that are being read and drawn, or wait for earlier rows.
  init(
    catalogue: ImportCatalogue, pictures: PictureFolder, mode: Mode,
    digest: @escaping Digester, parallel: Int, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.catalogue, self.pictures, self.mode) = (catalogue, pictures, mode)
    (self.digest, self.now, self.parallel) = (digest, now, max(1, parallel))
  }

  /// Reads the row at an index. Runs on any thread.
  typealias ReadRow = @Sendable (_ place: Int) -> Result<ImportRow, RowFault>

  /// Imports `count` rows. They are drawn concurrently, and stored in their order with many rows per commit. Lists show
  /// the memes in this order.
  ///
  /// - Parameters:
  ///   - read: returns the row at an index, counted from 0.
  ///   - isStopped: called before each row. If it returns `true`, no further row begins, and those already
  ///     begun are finished.
  ///   - tell: receives the outcome of each row once it is durable, in any order.
  /// - Throws: ``MemeError/storageFull``, other errors of the store, or ``MemeError/renderingStarved(_:)`` if no more
  ///   rows can be imported. Rows already reported stay stored.
  func run(
    _ count: Int, read: @escaping ReadRow, isStopped: () -> Bool,
    tell: (_ place: Int, ImportOutcome) -> Void
  ) async throws {
    var line = ImportLine(room: parallel)
    var failure: (any Error)?
    await withTaskGroup(of: Step.self) { group in
      while true {
        while line.hasRoom, line.begun < count, failure == nil, !isStopped() {
          // The creation time of rows without one. Later rows get later times.
          let (place, time) = (line.begin(), now())
          group.addTask { .prepared(place, await prepare(read(place), at: time)) }
        }
        guard let step = await group.next() else { break }
        do { try take(step, &line, with: &group, tell) } catch {
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
  }

  private enum Step: Sendable {
    case prepared(Int, Result<PreparedRow, any Error>)
    case kept(Int, byteCount: Int, Result<ImportOutcome, any Error>)
  }

  private func take(
    _ step: Step, _ line: inout ImportLine, with group: inout TaskGroup<Step>,
    _ tell: (_ place: Int, ImportOutcome) -> Void
  ) throws {
    switch step {
    case .kept(let place, let byteCount, let outcome):
      line.kept(byteCount)
      tell(place, try outcome.get())
    case .prepared(let place, let prepared):
      for (place, prepared) in line.take(prepared, at: place) {
        switch try prepared.get().content {
        case .settled(let outcome): tell(place, outcome)
        case .drawn(let meme, let store):
          line.keep(meme.byteCount)
          keep(meme, in: store, at: place, with: &group)
        }
      }
    }
  }

  private func keep(
    _ meme: NewMeme, in store: MemeStore, at place: Int, with group: inout TaskGroup<Step>
  ) {
    let (bytes, time) = (meme.byteCount, now())
    // The insert is queued in the writer when addImmediateTask returns, so memes are stored in the order of the calls.
    if #available(macOS 26, *) {
      group.addImmediateTask {
        .kept(place, byteCount: bytes, await Self.insert(meme, into: store, at: time))
      }
    } else {
      group.addTask {
        .kept(place, byteCount: bytes, await Self.insert(meme, into: store, at: time))
      }
    }
  }

  private static func insert(
    _ meme: NewMeme, into store: MemeStore, at time: Timestamp
  ) async -> Result<ImportOutcome, any Error> {
    do {
      switch try await store.insert(meme, recording: nil, importedAt: time) {
      case .inserted: return .success(.imported)
      case .taken, .answered: return .success(.there)
      }
    } catch {
      // Since the row was prepared, a running server may have deleted the author, or made a meme with this ID.
      guard let fault = RowFault(error) else { return .failure(error) }
      return .success(.failed(fault))
    }
  }
}

/// The outcome of a row.
enum ImportOutcome: Sendable, Equatable {
  /// The row made a meme, or would make one.
  case imported
  /// The meme existed already.
  case there
  /// The meme existed and was deleted.
  case deleted
  case failed(RowFault)
}
