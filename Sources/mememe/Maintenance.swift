import Crypto
import Memes
import Services
import Storage

/// Deletes what has expired, completes the search index, and adds the first templates, while a server runs.
struct Maintenance {
  /// The interval between purges.
  private static let purgeSeconds = 3600

  private let purges: [PurgeSchedule]
  private let backfill: SearchIndexBackfill
  /// `nil` if the server starts without templates.
  private let starter: StarterTemplates?

  init(_ parts: SharedParts) {
    let (stores, now, log) = (parts.stores, parts.services.now, parts.resources.log)
    let pause: @Sendable () async throws -> Void = {
      try await Task.sleep(for: .seconds(Self.purgeSeconds))
    }
    var kinds: [(any Purge, @Sendable (Result<Int, any Error>) -> Void)] = [
      (TrashPurge(store: stores.memes, trash: parts.trash, now: now), { log.purged($0) }),
      (UploadPurge(store: stores.uploads, now: now), { log.purgedUploads($0) }),
      (SessionPurge(store: stores.sessions, now: now), { log.purgedSessions($0) }),
      (PasswordResetPurge(store: stores.resets, now: now), { log.purgedResets($0) }),
      (AccessTokenPurge(store: stores.accessTokens, now: now), { log.purgedAccessTokens($0) }),
      (InvitationPurge(store: stores.invitations, now: now), { log.purgedInvitations($0) }),
      (
        IdempotencyPurge(store: IdempotencyStore(parts.resources.database.any), now: now),
        { log.purgedResponses($0) }
      ),
      (
        NotificationPurge(store: stores.notifications, now: now),
        { log.purgedNotifications($0) }
      ),
      (
        TombstonePurge(
          store: stores.memes, days: parts.resources.settings.tombstoneDays, now: now),
        { log.prunedTombstones($0) }
      ),
      (
        EventPurge(
          store: EventStore(parts.resources.database.any, as: EventID(Random.uuid())), now: now),
        { log.purgedEvents($0) }
      ),
      (DiscardedDataPurge(store: stores.users), { log.discarded($0) }),
    ]
    if let objects = parts.resources.database.objects {
      let grace = parts.resources.settings.objectGraceSeconds
      kinds.append(
        (ObjectSweep(objects.store, objects.records, now: now), { log.sweptObjects($0) }))
      kinds.append(
        (
          DiscardedObjectPurge(objects.store, objects.records, graceSeconds: grace),
          { log.purgedObjects($0) }
        ))
    }
    purges = kinds.map { purge, report in PurgeSchedule(purge, pause: pause, report: report) }
    backfill = SearchIndexBackfill(
      store: WordStore(parts.resources.database.any, observers: [parts.cache]), pause: pause,
      report: { log.filledWords($0) })
    starter =
      parts.resources.settings.starterTemplates
      ? StarterTemplates(
        store: stores.templates, renderer: parts.resources.renderer,
        hasRoom: parts.resources.hasRoom, now: now, pause: pause,
        report: { log.addedTemplates($0) }) : nil
  }

  func stop() async {
    for purge in purges { await purge.stop() }
    await backfill.stop()
    await starter?.stop()
  }
}
