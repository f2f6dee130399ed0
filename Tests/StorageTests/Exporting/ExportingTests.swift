import Memes
import Services
import Storage
import Synchronization
import Testing

struct ExportingTests {
  private let time = Timestamp(millisecondsSince1970: 0)

  private func export(
    of store: Scratch, hasRoom: @escaping @Sendable () -> Bool
  ) -> UserDataExport {
    let database = store.database
    let lifetime = SessionLifetime(idleSeconds: 1, maximumSeconds: 1)
    return UserDataExport(
      account: UserDataExport.AccountStores(
        users: UserStore(database), factors: SecondFactorStore(database),
        identities: IdentityStore(database),
        sessions: SessionStore(database, lifetime: lifetime),
        tokens: AccessTokenStore(database), invitations: InvitationStore(database),
        settings: SettingsStore(database),
        avatars: AvatarStore(database), connections: ConnectionStore(database)),
      activity: UserDataExport.ActivityStores(
        relations: RelationStore(database), reactions: ReactionStore(database),
        comments: CommentStore(database), reports: ReportStore(database)),
      memes: store.memes, templates: store.templates, hasRoom: hasRoom)
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
      let userData = export(of: store) {
        if taken.withLock({ $0 }) == 2, leaves.withLock({ $0 }) {
          withUnsafeCurrentTask { $0?.cancel() }
        }
        return true
      }
      let task = Task {
        let lock = try await userData.begin(for: ada.id)
        try await userData.export(lock, at: time, includesAccess: true, take)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      // The item in progress was exported, and nothing after it.
      #expect(taken.withLock { $0 } == 3)
      leaves.withLock { $0 = false }
      taken.withLock { $0 = 0 }
      let lock = try await userData.begin(for: ada.id)
      try await userData.export(lock, at: time, includesAccess: true, take)
      #expect(taken.withLock { $0 } == 5)
      #expect(
        await failure { _ = try await userData.begin(for: ada.id) }
          == "exportRunning")
      withExtendedLifetime(lock) {}
    }
  }
}
