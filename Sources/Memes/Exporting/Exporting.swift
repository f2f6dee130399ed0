/// Takes out everything that is a person's.
package struct Exporting: Sendable {
  private static let pageCount = 100
  private static let markCount = 1000
  private static let attempts = 5

  private let users: any UserStore
  private let sessions: Sessions
  private let settings: KeepingSettings
  private let avatars: any AvatarStore
  private let relations: any RelationStore
  private let marks: any MarkStore
  private let comments: any CommentStore
  private let memes: any MemeStore
  private let templates: any TemplateStore
  private let reports: any ReportStore
  private let hasRoom: @Sendable () -> Bool
  private let turns = ExportTurns()

  /// - Parameter hasRoom: whether the disk takes more; what is left below that is for deletions.
  package init(
    users: any UserStore, sessions: Sessions, settings: KeepingSettings, avatars: any AvatarStore,
    relations: any RelationStore, marks: any MarkStore, comments: any CommentStore,
    memes: any MemeStore, templates: any TemplateStore, reports: any ReportStore,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.users, self.sessions, self.settings) = (users, sessions, settings)
    (self.avatars, self.relations) = (avatars, relations)
    (self.marks, self.comments) = (marks, comments)
    (self.memes, self.templates, self.reports) = (memes, templates, reports)
    self.hasRoom = hasRoom
  }

  /// Begins an export; it lasts as long as there is a reference to what is returned.
  ///
  /// - Throws: ``MemeError/exportRunning`` where the person has one; ``MemeError/unauthorized`` where they left meanwhile.
  package func begin(for person: UserID) async throws(MemeError) -> ExportTurn {
    guard let user = try await users.account(person)?.user else { throw .unauthorized }
    guard let turn = turns.begin(user) else { throw .exportRunning }
    return turn
  }

  /// Gives away one thing after the other, each as it is when its turn comes. What is made meanwhile may be missing, what is
  /// deleted is; what lies in the trash is left out. No read lasts longer than for one thing, and memory has one meme's
  /// pictures at a time.
  ///
  /// - Parameter take: what it throws ends the export, and is thrown.
  /// - Throws: ``MemeError/storageFull``; ``MemeError/unauthorized`` where the person left meanwhile; `CancellationError`; and
  ///   what the stores throw.
  package func export(_ turn: ExportTurn, _ take: (ExportedThing) throws -> Void) async throws {
    let person = turn.user.id
    try await pause()
    try take(.account(turn.user))
    try take(.settings(try settings.settings(of: person).settings))
    try take(.sessions(try await sessions.all(of: person), sessions.lifetime))
    let name = turn.user.username
    let circles: [(Circle, ExportedThing.Kind)] = [
      (.following(by: name), .following), (.followers(of: name), .followers),
      (.blocked(by: person), .blocks),
    ]
    for (circle, kind) in circles {
      try take(.people(kind, try await people(in: circle, for: person)))
    }
    if let avatar = try avatars.avatar(of: name, .large, for: .person(person))?.file {
      try take(.avatar(avatar))
    }
    for mark in Mark.allCases { try await exportMarks(mark, of: person, take) }
    try await exportComments(of: person, take)
    try await exportReports(by: person, take)
    try await exportMemes(of: person, take)
    try await exportTemplates(of: person, take)
  }

  private func exportMarks(
    _ mark: Mark, of person: UserID, _ take: (ExportedThing) throws -> Void
  ) async throws {
    var (position, part): (ListPosition?, Int) = (nil, 1)
    repeat {
      try await pause()
      let page = try await marks.marked(
        mark, by: person, after: position, limit: Self.markCount)
      try take(.marks(mark, page.items, part: part))
      (position, part) = (page.next, part + 1)
    } while position != nil
  }

  private func exportComments(
    of person: UserID, _ take: (ExportedThing) throws -> Void
  ) async throws {
    var (place, part): (CommentPlace?, Int) = (nil, 1)
    repeat {
      try await pause()
      let page = try await comments.comments(by: person, after: place, limit: Self.markCount)
      try take(.comments(page.comments, part: part))
      (place, part) = (page.next, part + 1)
    } while place != nil
  }

  private func exportReports(
    by person: UserID, _ take: (ExportedThing) throws -> Void
  ) async throws {
    var (position, part): (ListPosition?, Int) = (nil, 1)
    repeat {
      try await pause()
      let page = try await reports.reports(by: person, after: position, limit: Self.pageCount)
      try take(.reports(page.items, part: part))
      (position, part) = (page.next, part + 1)
    } while position != nil
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
        guard let picture = try picture(of: template) else { continue }
        try take(.template(template, picture))
      }
      position = page.next
    } while position != nil
  }

  /// Between two things: others get the thread, and what nobody waits for, or there is no room for, ends.
  private func pause() async throws {
    await Task.yield()
    try Task.checkCancellation()
    guard hasRoom() else { throw MemeError.storageFull }
  }

  /// A meme with its pictures, all of one version; `nil` where it is gone by now.
  private func whole(
    _ id: MemeID, of person: UserID
  ) async throws(MemeError) -> ExportedThing? {
    for _ in 1...Self.attempts {
      do throws(MemeError) {
        let meme = try await memes.meme(id, for: .person(person))
        let original = try await memes.picture(.original, of: id, for: .person(person))
        let image = try await memes.picture(.image, of: id, for: .person(person))
        guard original.version == meme.version, image.version == meme.version else { continue }
        return .meme(meme, original: original.file, image: image.file)
      } catch {
        guard error.isAbsence else { throw error }
        return nil
      }
    }
    throw .storageBusy
  }

  private func picture(of template: Template) throws(MemeError) -> PictureFile? {
    do throws(MemeError) { return try templates.picture(.picture, of: template.id) } catch {
      guard error.isAbsence else { throw error }
      return nil
    }
  }

  private func people(in circle: Circle, for person: UserID) async throws -> [Username] {
    var names: [Username] = []
    var position: ListPosition?
    repeat {
      try await pause()
      let page = try await relations.page(
        of: circle, for: .person(person), after: position, limit: Self.pageCount)
      names += page.items.map(\.user.username)
      position = page.next
    } while position != nil
    return names
  }
}

extension MemeError {
  fileprivate var isAbsence: Bool {
    switch self {
    case .notFound, .gone: true
    default: false
    }
  }
}
