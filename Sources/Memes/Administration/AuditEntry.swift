/// Something that an admin did, as it goes into the log of such acts. The store writes it in the transaction of the act.
package struct AuditEntry: Sendable {
  package let at: Timestamp
  package let authority: Authority
  package let act: AdminAct
  /// What it was done to: a username, or an id.
  package let subject: String?
  package var details: AuditDetails

  package init(
    at time: Timestamp, _ authority: Authority, _ act: AdminAct, _ subject: String?,
    _ details: AuditDetails = AuditDetails()
  ) {
    (at, self.authority, self.act) = (time, authority, act)
    (self.subject, self.details) = (subject, details)
  }
}

/// What admins do. The raw value is what the log and the contract call it.
package enum AdminAct: String, CaseIterable, Sendable {
  case editMeme = "edit-meme"
  case deleteMeme = "delete-meme"
  case restoreMeme = "restore-meme"
  case deleteMemes = "delete-memes"
  case deleteTemplate = "delete-template"
  case deleteTemplates = "delete-templates"
  case deleteComment = "delete-comment"
  case suspend
  case unsuspend
  case createPerson = "create-person"
  case changeRole = "change-role"
  case resolveReport = "resolve-report"
  case dismissReport = "dismiss-report"
  case reopenReport = "reopen-report"
  case createBackup = "create-backup"
  case deleteBackup = "delete-backup"
  case downloadBackup = "download-backup"
}

/// What else there is to say of an act; what does not apply is `nil`.
package struct AuditDetails: Sendable {
  package var reason: SuspensionReason?
  package var role: Role?
  package var filter: MemeFilter?
  /// Of how many memes or reports.
  package var count: Int?
  package var note: ReportNote?

  package init(
    reason: SuspensionReason? = nil, role: Role? = nil, filter: MemeFilter? = nil,
    count: Int? = nil
  ) { (self.reason, self.role, self.filter, self.count) = (reason, role, filter, count) }
}

/// By what right, and on which request, somebody acts as an admin.
package struct Authority: Sendable {
  package enum Actor: Sendable, Equatable {
    /// Whoever showed the admin's token.
    case token
    case person(UserID)
    /// Whoever ran a command on the machine.
    case command
  }

  package let actor: Actor
  /// `nil` where no request asked for it.
  package let request: String?

  /// The right of somebody at the machine.
  package static let command = Authority(actor: .command, request: nil)

  private init(actor: Actor, request: String?) { (self.actor, self.request) = (actor, request) }

  /// - Returns: `nil` where the viewer is no admin.
  package init?(_ viewer: Viewer, request: String) {
    switch viewer {
    case .admin: self.init(actor: .token, request: request)
    case .administrator(let id): self.init(actor: .person(id), request: request)
    case .anonymous, .holder, .person: return nil
    }
  }
}

extension AuditEntry {
  /// An act of somebody who asks, on something that is not theirs.
  ///
  /// - Returns: `nil` where the viewer is no admin: then it is theirs.
  init?(
    at time: Timestamp, _ viewer: Viewer, _ act: AdminAct, _ thing: Possession, _ request: String
  ) {
    guard let authority = Authority(viewer, request: request) else { return nil }
    let subject =
      switch thing {
      case .meme(let id): id.description
      case .template(let id): id.description
      }
    self.init(at: time, authority, act, subject)
  }
}
