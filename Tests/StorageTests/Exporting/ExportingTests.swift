import Memes
import Services
import Storage
import Synchronization
import Testing

struct ExportingTests {
  private func exporting(
    _ store: Scratch, hasRoom: @escaping @Sendable () -> Bool
  ) throws -> Exporting {
    let database = store.database
    let nothing = try digest(0)
    return Exporting(
      users: UserStore(database),
      sessions: Sessions(
        store: SessionStore(database),
        lifetime: SessionLifetime(idleSeconds: 1, maximumSeconds: 1), digest: { _ in nothing },
        now: { Timestamp(millisecondsSince1970: 0) }),
      settings: KeepingSettings(store: SettingsStore(database)),
      avatars: AvatarStore(database), relations: RelationStore(database),
      marks: ReactionStore(database), comments: CommentStore(database), memes: store.memes,
      templates: store.templates, reports: ReportStore(database),
      hasRoom: hasRoom)
  }

  @Test func `an export whose client left ends early, and another may begin`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      for _ in 0..<5 { _ = try await store.make(by: ada) }
      /// The number of exported memes.
      let taken = Mutex(0)
      let take: @Sendable (ExportedThing) -> Void = { thing in
        if case .meme = thing { taken.withLock { $0 += 1 } }
      }
      // Like the daemon, in the middle of the export.
      let leaves = Mutex(true)
      let exporting = try exporting(store) {
        if taken.withLock({ $0 }) == 2, leaves.withLock({ $0 }) {
          withUnsafeCurrentTask { $0?.cancel() }
        }
        return true
      }
      let task = Task {
        let turn = try await exporting.begin(for: ada.id)
        try await exporting.export(turn, take)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      // The item in progress was exported, and nothing after it.
      #expect(taken.withLock { $0 } == 3)
      leaves.withLock { $0 = false }
      taken.withLock { $0 = 0 }
      let turn = try await exporting.begin(for: ada.id)
      try await exporting.export(turn, take)
      #expect(taken.withLock { $0 } == 5)
      #expect(
        await failure { _ = try await exporting.begin(for: ada.id) }
          == "exportRunning")
      withExtendedLifetime(turn) {}
    }
  }
}
