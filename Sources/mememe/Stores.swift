import Memes
import SQL
import Storage

/// The stores of a running server.
struct Stores {
  let memes: MemeStore
  let uploads: UploadStore
  let templates: TemplateStore
  let derived: DerivedPictures
  let users: UserStore
  let sessions: SessionStore
  let accessTokens: AccessTokenStore
  let secondFactors: SecondFactorStore
  let identities: IdentityStore
  let resets: PasswordResetStore
  let invitations: InvitationStore
  let settings: SettingsStore
  let avatars: AvatarStore
  let relations: RelationStore
  let reactions: ReactionStore
  let comments: CommentStore
  let notifications: NotificationStore
  let reports: ReportStore
  let statuses: AccountStatusStore
  let accountList: AccountListStore
  let usage: UsageStore
  let connections: ConnectionStore

  /// - Parameters:
  ///   - limits: the quotas, which the stores check in their transactions.
  ///   - cache: notified of every change that a cached response shows.
  ///   - bell: notified of changed memes and ended sessions.
  init(
    _ database: any Database, _ settings: Settings, limits: StorageLimits,
    cache: any ChangeObserver,
    bell: any ChangeObserver
  ) {
    let both = [cache, bell]
    memes = MemeStore(database, limits: limits, observers: both)
    uploads = UploadStore(database, limits: limits)
    templates = TemplateStore(database, limits: limits, observers: [cache])
    derived = DerivedPictures(database, capacityBytes: settings.cacheBytes)
    users = UserStore(database, observers: both)
    sessions = SessionStore(
      database,
      lifetime: SessionLifetime(
        idleSeconds: settings.sessionIdleSeconds, maximumSeconds: settings.sessionMaxSeconds),
      observers: both)
    accessTokens = AccessTokenStore(database, observers: [bell])
    secondFactors = SecondFactorStore(database)
    identities = IdentityStore(database)
    resets = PasswordResetStore(database, observers: both)
    invitations = InvitationStore(database)
    self.settings = SettingsStore(database)
    avatars = AvatarStore(database, observers: [cache])
    relations = RelationStore(database)
    reactions = ReactionStore(database, observers: both)
    comments = CommentStore(database, observers: both)
    notifications = NotificationStore(database)
    reports = ReportStore(database)
    statuses = AccountStatusStore(database, observers: [bell])
    accountList = AccountListStore(database.readers)
    usage = UsageStore(database)
    connections = ConnectionStore(database)
  }
}
