package import Memes
package import Storage

/// Exports all personal data of a user.
package struct UserDataExport: Sendable {
  private static let pageCount = 100
  /// The number of reactions or comments per page. They are smaller than other items.
  private static let smallPageCount = 1000
  private static let attempts = 5

  private let account: AccountStores
  private let activity: ActivityStores
  private let memes: MemeStore
  private let templates: TemplateStore
  private let hasRoom: @Sendable () -> Bool
  private let locks = ExportLocks()

  /// The stores of an account, its second factor, its identities, its sessions, its access tokens, its invitations, its
  /// settings, its avatar and its connections.
  package struct AccountStores: Sendable {
    let users: UserStore
    let factors: SecondFactorStore
    let identities: IdentityStore
    let sessions: SessionStore
    let tokens: AccessTokenStore
    let invitations: InvitationStore
    let settings: SettingsStore
    let avatars: AvatarStore
    let connections: ConnectionStore

    package init(
      users: UserStore, factors: SecondFactorStore, identities: IdentityStore,
      sessions: SessionStore, tokens: AccessTokenStore, invitations: InvitationStore,
      settings: SettingsStore, avatars: AvatarStore, connections: ConnectionStore
    ) {
      self.identities = identities
      (self.users, self.factors, self.sessions, self.tokens) = (users, factors, sessions, tokens)
      (self.invitations, self.settings, self.avatars) = (invitations, settings, avatars)
      self.connections = connections
    }
  }

  /// The stores of a user's follows and blocks, reactions, comments and reports.
  package struct ActivityStores: Sendable {
    let relations: RelationStore
    let reactions: ReactionStore
    let comments: CommentStore
    let reports: ReportStore

    package init(
      relations: RelationStore, reactions: ReactionStore, comments: CommentStore,
      reports: ReportStore
    ) {
      (self.relations, self.reactions) = (relations, reactions)
      (self.comments, self.reports) = (comments, reports)
    }
  }

  /// - Parameter hasRoom: whether the disk has room for more data; the rest is reserved for deletions.
  package init(
    account: AccountStores, activity: ActivityStores, memes: MemeStore, templates: TemplateStore,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.account, self.activity) = (account, activity)
    (self.memes, self.templates, self.hasRoom) = (memes, templates, hasRoom)
  }

  /// Begins an export. It lasts as long as the returned object is alive.
  ///
  /// - Throws: ``MemeError/exportRunning`` if an export of this user is in progress; ``MemeError/unauthorized`` if the
  ///   account was deleted.
  package func begin(for person: UserID) async throws -> ExportLock {
    guard let user = try await account.users.account(person)?.user else {
      throw MemeError.unauthorized
    }
    guard let lock = locks.begin(user) else { throw MemeError.exportRunning }
    return lock
  }

  /// Passes on one item after the other, each in its current state. Items created during the export may be missing,
  /// items deleted during the export are. Memes in the trash are left out. Each item is a separate read, and memory
  /// holds the pictures of one meme at a time.
  ///
  /// - Parameters:
  ///   - time: sessions, access tokens and invitations that have expired by then are left out.
  ///   - includesAccess: whether the sessions, access tokens, identities and invitations are included. No access token
  ///     can list them.
  ///   - take: receives the items. An error that it throws ends the export, and is rethrown.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/unauthorized`` if the account was deleted; `CancellationError`;
  ///   the errors of the stores.
  package func export(
    _ lock: ExportLock, at time: Timestamp, includesAccess: Bool,
    _ take: (ExportedThing) throws -> Void
  ) async throws {
    let (person, name) = (lock.user.id, lock.user.username)
    try await pause()
    try take(.account(lock.user, try await account.factors.factor(of: person)))
    try take(.settings(try await account.settings.settings(of: person).settings))
    try take(.connections(try await account.connections.connections(for: .person(person))))
    if includesAccess { try await exportAccess(of: person, at: time, take) }
    let circles: [(UserList, ExportedThing.Kind)] = [
      (.following(by: name), .following), (.followers(of: name), .followers),
      (.blocked(by: person), .blocks),
    ]
    for (circle, kind) in circles {
      try take(.people(kind, try await people(in: circle, for: person)))
    }
    if let avatar = try await account.avatars.avatar(of: name, .large, for: .person(person))?.file {
      try take(.avatar(try await avatar.loaded()))
    }
    for reaction in Reaction.allCases {
      try await parts { (place: ListPosition?, part: Int) in
        let page = try await activity.reactions.memes(
          with: reaction, by: person, after: place, limit: Self.smallPageCount)
        try take(.reactions(reaction, page.items, part: part))
        return page.next
      }
    }
    try await parts { (place: CommentPlace?, part: Int) in
      let page = try await activity.comments.comments(
        by: person, after: place, limit: Self.smallPageCount)
      try take(.comments(page.comments, part: part))
      return page.next
    }
    try await parts { (place: ListPosition?, part: Int) in
      let page = try await activity.reports.reports(
        by: person, after: place, limit: Self.pageCount)
      try take(.reports(page.items, part: part))
      return page.next
    }
    try await exportMemes(of: person, take)
    try await exportTemplates(of: person, take)
  }

  private func exportAccess(
    of person: UserID, at time: Timestamp, _ take: (ExportedThing) throws -> Void
  ) async throws {
    let sessions = account.sessions
    try take(.sessions(try await sessions.sessions(of: person, at: time), sessions.lifetime))
    try take(.tokens(try await account.tokens.tokens(of: person, at: time)))
    let (identities, hasPassword) = try await account.identities.identities(of: person)
    try take(.identities(identities, hasPassword: hasPassword))
    try await parts { (place: ListPosition?, part: Int) in
      let page = try await account.invitations.invitations(
        for: .person(person), at: time, after: place, limit: Self.pageCount)
      try take(.invitations(page.items, part: part))
      return page.next
    }
  }

  /// Reads a list page by page. Each page is a part of the export, and parts are numbered from 1.
  ///
  /// - Parameter read: passes the page after a place on, and returns the place of the next one.
  private func parts<Place>(
    _ read: (_ place: Place?, _ part: Int) async throws -> Place?
  ) async throws {
    var (place, part): (Place?, Int) = (nil, 1)
    repeat {
      try await pause()
      place = try await read(place, part)
      part += 1
    } while place != nil
  }

  private func exportMemes(
    of person: UserID, _ take: (ExportedThing) throws -> Void
  ) async throws {
    var position: ListPosition?
    repeat {
      let page = try await memes.page(
        MemeListing(
          for: .person(person), .author(.person(person)), after: position, limit: Self.pageCount))
      for meme in page.items {
        try await pause()
        if let meme = try await whole(meme.id, of: person) { try take(meme) }
      }
      position = page.next
    } while position != nil
  }

  private func exportTemplates(
    of person: UserID, _ take: (ExportedThing) throws -> Void
  ) async throws {
    var position: ListPosition?
    repeat {
      let page = try await templates.templates(
        of: person, after: position, limit: Self.pageCount)
      for template in page.items {
        try await pause()
        guard let picture = try await picture(of: template) else { continue }
        try take(.template(template, picture))
      }
      position = page.next
    } while position != nil
  }

  /// Called between two items: yields the thread, and ends the export if it is canceled or the disk is full.
  private func pause() async throws {
    await Task.yield()
    try Task.checkCancellation()
    guard hasRoom() else { throw MemeError.storageFull }
  }

  /// A meme with its pictures, all of the same version; `nil` if the meme was deleted.
  private func whole(
    _ id: MemeID, of person: UserID
  ) async throws -> ExportedThing? {
    for _ in 1...Self.attempts {
      do {
        let meme = try await memes.meme(id, for: .person(person))
        let original = try await memes.picture(.original, of: id, for: .person(person))
        let image = try await memes.picture(.image, of: id, for: .person(person))
        guard original.version == meme.version, image.version == meme.version else { continue }
        var boxed: [PictureFile] = []
        for index in meme.recipe.pictures.indices {
          boxed.append(try await memes.boxedPicture(index, of: id, at: meme.version))
        }
        return .meme(
          meme, original: try await original.file.loaded(), image: try await image.file.loaded(),
          boxed: boxed)
      } catch MemeError.versionMismatch {
        continue
      } catch {
        guard error.isAbsence else { throw error }
        return nil
      }
    }
    throw MemeError.storageBusy
  }

  private func picture(of template: Template) async throws -> PictureFile? {
    do { return try await templates.picture(.picture, of: template.id).loaded() } catch {
      guard error.isAbsence else { throw error }
      return nil
    }
  }

  private func people(in circle: UserList, for person: UserID) async throws -> [Username] {
    var names: [Username] = []
    var position: ListPosition?
    repeat {
      try await pause()
      let page = try await activity.relations.page(
        of: circle, for: .person(person), after: position, limit: Self.pageCount)
      names += page.items.map(\.user.username)
      position = page.next
    } while position != nil
    return names
  }
}
