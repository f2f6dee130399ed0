/// Makes memes of the rows of a list, each once, however often the list is imported.
///
/// What is there is not changed, and what was deleted stays deleted.
package struct Importing: Sendable {
  let catalogue: any ImportCatalogue
  let pictures: any ImportPictures
  let maker: Maker
  let digest: Digester
  let now: @Sendable () -> Timestamp
  private let parallel: Int

  /// What becomes of rows that can be imported.
  package enum Maker: Sendable {
    /// They are drawn and kept.
    case keeping(Drawing, any MemeStore, hasRoom: @Sendable () -> Bool)
    /// Their pictures are looked at, and nothing is kept.
    case checking(any PictureReader)
  }

  /// - Parameter parallel: rows that are read and drawn at once, or wait for those before them.
  package init(
    catalogue: any ImportCatalogue, pictures: any ImportPictures, maker: Maker,
    digest: @escaping Digester, parallel: Int, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.catalogue, self.pictures, self.maker) = (catalogue, pictures, maker)
    (self.digest, self.now, self.parallel) = (digest, now, max(1, parallel))
  }

  /// Reads the row at a place, on whatever thread has time for it.
  package typealias ReadRow = @Sendable (_ place: Int) -> Result<ImportRow, RowFault>

  /// Imports so many rows. They are drawn as threads are free, and kept in their order, many with one commit: that is the order in which
  /// people see them in lists.
  ///
  /// - Parameters:
  ///   - read: gives the row at a place, counted from 0.
  ///   - isStopped: asked before each row; those that were begun are finished then.
  ///   - tell: gets what became of the row at a place, when that is durable. In no order.
  /// - Throws: where nothing more can be imported: ``MemeError/storageFull`` and what else the store throws, and
  ///   ``MemeError/renderingStarved(_:)``. What was told is kept.
  package func run(
    _ count: Int, read: @escaping ReadRow, isStopped: () -> Bool,
    tell: (_ place: Int, ImportOutcome) -> Void
  ) async throws(MemeError) {
    var line = ImportLine(room: parallel)
    var failure: MemeError?
    await withTaskGroup(of: Step.self) { group in
      while true {
        while line.hasRoom, line.begun < count, failure == nil, !isStopped() {
          // Of rows that tell no time: so they are later than those before them.
          let (place, time) = (line.begin(), now())
          group.addTask { .prepared(place, await prepare(read(place), at: time)) }
        }
        guard let step = await group.next() else { break }
        do throws(MemeError) { try take(step, &line, with: &group, tell) } catch {
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
  }

  private enum Step: Sendable {
    case prepared(Int, Result<PreparedRow, MemeError>)
    case kept(Int, byteCount: Int, Result<ImportOutcome, MemeError>)
  }

  private func take(
    _ step: Step, _ line: inout ImportLine, with group: inout TaskGroup<Step>,
    _ tell: (_ place: Int, ImportOutcome) -> Void
  ) throws(MemeError) {
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
    _ meme: NewMeme, in store: any MemeStore, at place: Int, with group: inout TaskGroup<Step>
  ) {
    let bytes = meme.byteCount
    // It stands in the writer's line when this returns, so memes are kept in the order of the calls.
    if #available(macOS 26, *) {
      group.addImmediateTask {
        .kept(place, byteCount: bytes, await Self.insert(meme, into: store))
      }
    } else {
      group.addTask { .kept(place, byteCount: bytes, await Self.insert(meme, into: store)) }
    }
  }

  private static func insert(
    _ meme: NewMeme, into store: any MemeStore
  ) async -> Result<ImportOutcome, MemeError> {
    do throws(MemeError) {
      switch try await store.insert(meme) {
      case .inserted: return .success(.imported)
      case .taken, .answered: return .success(.there)
      }
    } catch { return .failure(error) }
  }
}

/// What became of a row.
package enum ImportOutcome: Sendable, Equatable {
  /// There is a meme of it now, or would be.
  case imported
  /// It was there.
  case there
  /// It was there and was deleted.
  case deleted
  case failed(RowFault)
}

extension NewMeme {
  /// Of all its files.
  fileprivate var byteCount: Int {
    PictureRole.allCases.reduce(0) { $0 + meme.facts(of: $1).byteCount }
  }
}
