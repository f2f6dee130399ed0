import API
import Assets
import Bytes
import Crypto
import HTTP
import Memes
import SQLite
import Services
import Storage

/// The components for accounts and sessions.
struct PeopleParts {
  let users: UserStore
  let sessions: Sessions
  let marks: ReactionStore
  let comments: CommentStore
  let authentication: Authentication
  let routes: [Route]
  let purging: SessionPurging
  let resetPurging: PasswordResetPurging
  let discarding: Discarding

  /// - Parameters:
  ///   - observers: notified of changed memes and ended sessions.
  ///   - tokens: recognizes admin tokens and delete tokens, and has the key for sealing registrations.
  ///   - mails: sends notices about account changes.
  ///   - hasRoom: whether the disk has room for more data.
  init(
    _ settings: Settings, _ database: Database, observers: [any ChangeObserver],
    tokens: KeyedTokens, throttle: Throttle, retrying: Retrying, mails: MailQueue,
    address: PublicAddress, spool: SpoolPlace,
    now: @escaping @Sendable () -> Timestamp,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    users = UserStore(database, observers: observers)
    marks = ReactionStore(database, observers: observers)
    comments = CommentStore(database, observers: observers)
    let store = SessionStore(database, observers: observers)
    let hasher = PasswordHasher()
    let check = PasswordCheck(hasher: hasher, throttle: throttle)
    sessions = Sessions(
      store: store,
      lifetime: SessionLifetime(
        idleSeconds: settings.sessionIdleSeconds, maximumSeconds: settings.sessionMaxSeconds),
      digest: Server.digest, now: now)
    let cookie = SessionCookie(isSecure: settings.isReachedByHTTPS)
    let origin = SameOriginCheck(settings.publicURL?.origin, scheme: settings.scheme)
    authentication = Authentication(
      tokens: tokens, anonymous: settings.anonymous,
      people: Authentication.People(sessions: sessions, cookie: cookie, origin: origin))
    purging = SessionPurging(store: store, lifetime: sessions.lifetime, now: now)
    let resets = PasswordResetStore(database, observers: observers)
    resetPurging = PasswordResetPurging(store: resets, now: now)
    let letters = AccountLetters(serverURL: { address.root })
    let rules = PasswordRules(common: Assets.commonPasswords)
    let newToken: @Sendable () -> String = { Base64URL.encode(Random.bytes(32)) }
    discarding = Discarding(store: users)
    let userRoutes = UserRoutes(
      registering: Registering(
        users: users, hasher: hasher, retrying: retrying, now: now,
        newID: { UserID(Random.uuid()) }, hasRoom: hasRoom),
      accounts: Accounts(
        users: users, hasher: hasher, check: check, mails: mails, letters: letters, now: now),
      rules: rules, digest: Server.digest,
      seal: tokens.seal(for: "registrations"), cookie: cookie,
      basePath: settings.publicURL?.path ?? "", spool: spool)
    let sessionRoutes = SessionRoutes(
      signingIn: SigningIn(
        users: users, store: store, sessions: sessions, hasher: hasher, check: check,
        now: now, newID: { Random.uuid() }, newToken: newToken),
      sessions: sessions, cookie: cookie, origin: origin,
      basePath: settings.publicURL?.path ?? "", spool: spool)
    let resetRoutes = PasswordResetRoutes(
      resets: PasswordResets(
        store: resets, hasher: hasher, check: check, mails: mails, letters: letters,
        digest: Server.digest,
        now: now, newToken: newToken),
      rules: rules, spool: spool)
    let followingRoutes = FollowingRoutes(
      following: Following(store: RelationStore(database), now: now), digest: Server.digest,
      basePath: settings.publicURL?.path ?? "")
    let likingRoutes = LikingRoutes(
      liking: Liking(store: marks, now: now), digest: Server.digest,
      basePath: settings.publicURL?.path ?? "")
    routes =
      userRoutes.routes + sessionRoutes.routes + resetRoutes.routes + followingRoutes.routes
      + likingRoutes.routes
  }
}
