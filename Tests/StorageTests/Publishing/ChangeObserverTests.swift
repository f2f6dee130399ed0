import Foundation
import Memes
import SQL
import SQLite
import Storage
import Synchronization
import Testing

@Suite struct ChangeObserverTests {
  /// Records the changes, and what a reader sees at that moment.
  private final class Listener: ChangeObserver {
    private let state = Mutex<(changes: [MemeChange], visible: [Bool])>(([], []))
    private let database: any Database

    init(_ database: any Database) { self.database = database }

    var heard: [MemeChange] { state.withLock { $0.changes } }
    /// Whether a reader could see the meme at the time of each change.
    var visible: [Bool] { state.withLock { $0.visible } }

    func changed(_ change: MemeChange) {
      let id: MemeID? =
        switch change {
        case .created(let id), .edited(let id), .claimed(let id), .deleted(let id),
          .restored(let id), .counted(let id), .purged(let id):
          id
        case .sequenced, .signedOut, .templateChanged, .many, .missed: nil
        }
      let bytes = id.map { id in withUnsafeBytes(of: id.uuid.uuid) { Array($0) } }
      let isVisible = try? database.readers.blockingRead { db in
        try db.first("SELECT 1 FROM memes WHERE id = ? AND deleted_at IS NULL", bytes) { _ in true }
          ?? false
      }
      state.withLock { state in
        state.changes.append(change)
        if let isVisible { state.visible.append(isVisible) }
      }
    }
  }

  private func withListener(
    on engines: Set<Engine> = Engine.tested,
    _ body: (MemeStore, Listener, any Database) async throws -> Void
  ) async throws {
    try await withStore(on: engines) { store in
      let listener = Listener(store.database)
      try await body(
        MemeStore(store.database, observers: [listener]), listener, store.database)
    }
  }

  private let time = Timestamp(millisecondsSince1970: 5)

  @Test func `observers are notified after the commit and before the call returns`() async throws {
    try await withListener { memes, listener, _ in
      let new = try newMeme()
      let id = new.meme.id
      _ = try await memes.insert(new)
      #expect(listener.heard == [.created(id)])
      try await memes.delete(id, if: .any, at: time, restorable: true)
      #expect(listener.heard.last == .deleted(id))
      _ = try await memes.restore(id, deletedAfter: Timestamp(millisecondsSince1970: 0))
      #expect(listener.heard.last == .restored(id))
      _ = try await memes.countShare(of: id, on: .link, recording: nil, at: time)
      #expect(listener.heard.last == .counted(id))
      try await memes.delete(id, if: .any, at: time, restorable: true)
      _ = try await memes.purge(deletedUpTo: time, .standard)
      #expect(listener.heard.suffix(2) == [.deleted(id), .purged(id)])
      #expect(listener.visible == [true, false, true, true, false, false])
    }
  }

  @Test func `a permanent deletion is reported as deleted and as purged`() async throws {
    try await withListener { memes, listener, _ in
      let new = try newMeme()
      _ = try await memes.insert(new)
      try await memes.delete(new.meme.id, if: .any, at: time, restorable: false)
      #expect(
        listener.heard == [.created(new.meme.id), .deleted(new.meme.id), .purged(new.meme.id)])
    }
  }

  @Test func `changes without effect, or rolled back, are not reported`() async throws {
    try await withListener(on: [.sqlite]) { memes, listener, database in
      let new = try newMeme()
      _ = try await memes.insert(new)
      _ = try await memes.insert(new)
      _ = try await memes.restore(new.meme.id, deletedAfter: time)
      _ = try await memes.purge(deletedUpTo: time, .standard)
      try await memes.checkHealth()
      let unknown = MemeID(UUID())
      _ = await failure {
        try await memes.delete(unknown, if: .any, at: time, restorable: true)
      }
      #expect(listener.heard == [.created(new.meme.id)])

      try await database.writer.transaction { db in
        try db.run("PRAGMA max_page_count = 20")
      }
      let large = try newMeme(byteCount: 2_000_000)
      #expect(
        await failure { _ = try await memes.insert(large) }
          == "storageFull")
      #expect(listener.heard == [.created(new.meme.id)])
    }
  }

  @Test func `changes in a shared commit are all visible and reported in order`() async throws {
    try await withListener { memes, listener, _ in
      await withTaskGroup { group in
        for _ in 0..<16 {
          group.addTask {
            guard let new = try? newMeme(),
              case .inserted? = try? await memes.insert(new)
            else { return }
            try? await memes.delete(new.meme.id, if: .any, at: time, restorable: true)
          }
        }
      }
      #expect(listener.heard.count == 32)
      // Each deletion was requested after the creation had returned.
      var created: Set<MemeID> = []
      for (change, isVisible) in zip(listener.heard, listener.visible) {
        switch change {
        case .created(let id):
          #expect(isVisible)
          created.insert(id)
        case .deleted(let id):
          #expect(!isVisible)
          #expect(created.contains(id))
        default: Issue.record("\(change)")
        }
      }
      #expect(listener.visible.count == 32)
    }
  }
}
