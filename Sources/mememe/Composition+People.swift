import API
import Bytes
import HTTP
import Memes
import OpenID
import Services
import Storage

extension SharedParts {
  /// The routes for accounts, and for what users do with memes and with each other.
  func peopleRoutes() -> [Route] {
    [
      accountRoutes(),
      RelationRoutes(relations: stores.relations, context: context).routes,
      ReactionRoutes(reactions: stores.reactions, context: context).routes,
      CommentRoutes(
        publisher: CommentPublisher(
          store: stores.comments, memes: stores.memes, context: services),
        comments: stores.comments, context: context
      ).routes,
      NotificationRoutes(notifications: stores.notifications, context: context).routes,
      ReportRoutes(
        filing: ReportFiling(store: stores.reports, context: services), context: context
      ).routes,
      ShareRoutes(
        sharer: Sharer(
          memes: stores.memes, mailer: mailer, throttle: resources.throttle,
          confirmations: resources.settings.sharesByMail ? confirmations : nil, context: services),
        memes: stores.memes, address: address, linksAtom: resources.settings.anonymous,
        context: context
      ).routes,
      AtomRoutes(
        memes: stores.memes, relations: stores.relations, address: address, context: context
      ).routes,
      AvatarRoutes(
        avatars: Avatars(
          store: stores.avatars, artist: resources.renderer, hasRoom: resources.hasRoom),
        store: stores.avatars, factors: stores.secondFactors, context: context
      ).routes,
      SettingsRoutes(settings: stores.settings, fonts: fonts, context: context).routes,
      UsageRoutes(store: stores.usage, limits: limits, throttle: resources.throttle).routes,
      connectionRoutes(),
      exportRoutes(),
    ].flatMap(\.self)
  }

  private var letters: AccountLetters {
    AccountLetters(serverURL: { [address] in address.root })
  }

  var notices: AccountNotices {
    AccountNotices(users: stores.users, mails: mails, letters: letters)
  }

  private var confirmations: EmailConfirmations {
    let confirms = resources.settings.mailServer != nil
    return EmailConfirmations(
      users: stores.users, mails: mails, letters: letters,
      seal: confirms ? tokens.seal(for: "email confirmations") : nil, now: services.now)
  }

  private func accountRoutes() -> [Route] {
    let hasher = PasswordHasher()
    let check = PasswordCheck(hasher: hasher, throttle: throttle)
    let rules = PasswordRules(common: Assets.commonPasswords)
    let settings = resources.settings
    let accounts = Accounts(
      users: stores.users, hasher: hasher, check: check, notices: notices,
      confirmations: confirmations, throttle: resources.throttle, now: services.now)
    let resets = PasswordResets(
      store: stores.resets, check: check, mails: mails, letters: letters, notices: notices,
      context: services)
    let identity = IdentityCheck(users: stores.users, check: check, now: services.now)
    let cipher = tokens.cipher(for: "second factors")
    let factors = SecondFactorCheck(
      store: stores.secondFactors, cipher: cipher, throttle: throttle, context: services)
    let signIn = SignIn(
      users: stores.users, sessions: stores.sessions, check: check, factors: factors,
      notices: notices, context: services)
    return [
      signOnRoutes(signIn, identity, factors, notices),
      RegistrationRoutes(
        registration: Registration(
          users: stores.users, mode: settings.registration, hasher: hasher,
          confirmations: confirmations, context: services),
        rules: rules, seal: tokens.seal(for: "registrations"), context: context
      ).routes,
      UserRoutes(
        accounts: accounts, factors: stores.secondFactors, rules: rules, cookie: cookie,
        context: context
      ).routes,
      SessionRoutes(
        signIn: signIn, (stores.sessions, stores.secondFactors), cookie: cookie, origin: origin,
        signOnName: provider?.name, context: context
      ).routes,
      EmailConfirmationRoutes(confirmations: confirmations, context: context).routes,
      PasswordResetRoutes(resets: resets, rules: rules, context: context).routes,
      AccountRoutes(
        list: stores.accountList, statuses: stores.statuses, accounts: accounts, resets: resets,
        context: context
      ).routes,
      AccessTokenRoutes(
        tokens: AccessTokens(
          store: stores.accessTokens, identity: identity, factors: factors, notices: notices,
          context: services),
        store: stores.accessTokens, context: context
      ).routes,
      SecondFactorRoutes(
        factors: SecondFactors(
          store: stores.secondFactors, cipher: cipher, identity: identity, check: factors,
          notices: notices, context: services),
        accounts: accounts, address: address, context: context
      ).routes,
      InvitationRoutes(
        invitations: Invitations(
          store: stores.invitations, mode: settings.registration,
          memberCount: settings.memberInvites, context: services),
        store: stores.invitations, address: address, context: context
      ).routes,
    ].flatMap(\.self)
  }

  private func signOnRoutes(
    _ signIn: SignIn, _ identity: IdentityCheck, _ factors: SecondFactorCheck,
    _ notices: AccountNotices
  ) -> [Route] {
    let (settings, log) = (resources.settings, resources.log)
    let signOn = provider.map { provider in
      SingleSignOn(
        provider, (stores.identities, stores.sessions), signIn: signIn,
        newAccounts: ProviderAccounts(
          of: provider.issuer, settings.registration, users: stores.users,
          identities: stores.identities, (notices, confirmations), context: services),
        (tokens.cipher(for: "single sign-ons"), notices, services),
        report: { log.write(.warning, $0, []) })
    }
    let links = IdentityLinks(
      store: stores.identities, identity: identity, factors: factors, notices: notices,
      issuer: provider?.issuer.text)
    return SingleSignOnRoutes(
      signOn,
      cookie: SingleSignOnCookie(
        basePath: context.basePath, isSecure: settings.isReachedByHTTPS),
      session: cookie, address: address, context: context,
      report: { cause, request in log.failure(cause, id: request) }
    ).routes
      + IdentityRoutes(
        links: links, store: stores.identities, signOn: signOn, context: context
      ).routes
  }

  private func exportRoutes() -> [Route] {
    ExportRoutes(
      userData: UserDataExport(
        account: UserDataExport.AccountStores(
          users: stores.users, factors: stores.secondFactors, identities: stores.identities,
          sessions: stores.sessions, tokens: stores.accessTokens, invitations: stores.invitations,
          settings: stores.settings, avatars: stores.avatars, connections: stores.connections),
        activity: UserDataExport.ActivityStores(
          relations: stores.relations, reactions: stores.reactions, comments: stores.comments,
          reports: stores.reports),
        memes: stores.memes, templates: stores.templates, hasRoom: resources.hasRoom),
      // A client that downloads an archive slowly takes up no memory.
      spool: SpoolPlace(
        directory: resources.folder.path, memoryBytes: 0, hasRoom: resources.hasRoom),
      context: context
    ).routes
  }
}

extension Server {
  /// Makes a link with which the first admin creates an account; `nil` if an admin exists.
  package func setupLink() async throws -> String? {
    let first = FirstAdmin(
      store: InvitationStore(resources.database.any), digest: Self.digest, now: resources.now)
    return try await first.invite().map(PublicAddress { [url] in url }.invitation)
  }
}
