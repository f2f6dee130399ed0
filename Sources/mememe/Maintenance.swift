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
    var purges: [PurgeSchedule] = []
    func schedule(_ purge: any Purge, _ done: String, _ what: StaticString, _ failed: String) {
      purges.append(
        PurgeSchedule(purge, pause: pause, report: { log.tell($0, done, what, failed) }))
    }
    schedule(
      TrashPurge(store: stores.memes, trash: parts.trash, now: now),
      "trash emptied", "memes", "cannot empty the trash")
    schedule(
      UploadPurge(store: stores.uploads, now: now),
      "expired uploads removed", "uploads", "cannot remove expired uploads")
    schedule(
      SessionPurge(store: stores.sessions, now: now),
      "expired sessions removed", "sessions", "cannot remove expired sessions")
    schedule(
      PasswordResetPurge(store: stores.resets, now: now),
      "expired password resets removed", "resets", "cannot remove expired password resets")
    schedule(
      AccessTokenPurge(store: stores.accessTokens, now: now),
      "expired access tokens removed", "tokens", "cannot remove expired access tokens")
    schedule(
      InvitationPurge(store: stores.invitations, now: now),
      "expired invitations removed", "invitations", "cannot remove expired invitations")
    schedule(
      IdempotencyPurge(store: IdempotencyStore(parts.resources.database.any), now: now),
      "expired responses removed", "responses", "cannot remove expired responses")
    schedule(
      NotificationPurge(store: stores.notifications, now: now),
      "old notifications removed", "notifications", "cannot remove old notifications")
    schedule(
      TombstonePurge(store: stores.memes, days: parts.resources.settings.tombstoneDays, now: now),
      "records of old deletions removed", "memes", "cannot remove records of old deletions")
    schedule(
      EventPurge(
        store: EventStore(parts.resources.database.any, as: EventID(Random.uuid())), now: now),
      "undelivered events removed", "events", "cannot remove undelivered events")
    schedule(
      DiscardedDataPurge(store: stores.users),
      "files of deleted accounts removed", "files", "cannot remove files of deleted accounts")
    if let objects = parts.resources.database.objects {
      let grace = parts.resources.settings.objectGraceSeconds
      schedule(
        ObjectSweep(objects.store, objects.records, now: now),
        "objects without a row discarded", "objects", "cannot look for objects without a row")
      schedule(
        DiscardedObjectPurge(objects.store, objects.records, graceSeconds: grace),
        "discarded objects removed", "objects", "cannot remove discarded objects")
    }
    self.purges = purges
    backfill = SearchIndexBackfill(
      store: WordStore(parts.resources.database.any, observers: [parts.cache]), pause: pause,
      report: { log.tell($0, "search index filled", "count", "cannot fill the search index") })
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
