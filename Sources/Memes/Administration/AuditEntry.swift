/// An entry of the audit log: one action of an admin. The store writes it in the same transaction as the action.
package struct AuditEntry: Sendable {
  package let at: Timestamp
  package let authority: Authority
  package let act: AdminAct
  /// The username or ID that the action applied to.
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

/// An action of an admin. The raw value is its name in the audit log and in the API.
package enum AdminAct: String, CaseIterable, Sendable {
  case editMeme = "edit-meme"
  case deleteMeme = "delete-meme"
  case restoreMeme = "restore-meme"
  case deleteMemes = "delete-memes"
  case editTemplate = "edit-template"
  case deleteTemplate = "delete-template"
  case deleteTemplates = "delete-templates"
  case deleteComment = "delete-comment"
  case suspend
  case unsuspend
  case createPerson = "create-person"
  case changeRole = "change-role"
  /// The provider of a single sign-on decided the role. The actor is the user who signed in.
  case changeRoleBySignIn = "change-role-by-sign-in"
  case changeQuota = "change-quota"
  case resetPassword = "reset-password"
  case turnOffSecondFactor = "turn-off-second-factor"
  case deletePerson = "delete-person"
  case createInvitation = "create-invitation"
  case deleteInvitation = "delete-invitation"
  case resolveReport = "resolve-report"
  case dismissReport = "dismiss-report"
  case reopenReport = "reopen-report"
  case createBackup = "create-backup"
  case deleteBackup = "delete-backup"
  case downloadBackup = "download-backup"
}

/// Further details of an action; `nil` if they do not apply.
package struct AuditDetails: Sendable {
  package var reason: SuspensionReason?
  package var role: Role?
  /// The new quota of an account; `nil` also if the limit of all accounts applies again.
  package var quotaBytes: Int?
  package var filter: MemeFilter?
  /// The number of memes or reports that the action applied to.
  package var count: Int?
  package var note: ReportNote?

  package init(
    reason: SuspensionReason? = nil, role: Role? = nil, quotaBytes: Int? = nil,
    filter: MemeFilter? = nil, count: Int? = nil
  ) {
    (self.reason, self.role, self.quotaBytes) = (reason, role, quotaBytes)
    (self.filter, self.count) = (filter, count)
  }
}

/// The authority by which an admin acts, and the request.
package struct Authority: Sendable {
  package enum Actor: Sendable, Equatable {
    /// The caller authenticated with the admin token.
    case token
    case person(UserID)
    /// An operator ran a command on the machine.
    case command
  }

  package let actor: Actor
  /// `nil` if the action was not requested over HTTP.
  package let request: String?

  /// The authority of an operator at the machine.
  package static let command = Authority(actor: .command, request: nil)

  /// The user who acts, if one does.
  package var person: UserID? { if case .person(let id) = actor { id } else { nil } }

  private init(actor: Actor, request: String?) { (self.actor, self.request) = (actor, request) }

  /// - Returns: `nil` if the viewer is not an admin.
  package init?(_ viewer: Principal, request: String) {
    switch viewer {
    case .admin: self.init(actor: .token, request: request)
    case .administrator(let id): self.init(actor: .person(id), request: request)
    case .anonymous, .deleteTokenHolder, .person: return nil
    }
  }
}

extension AuditEntry {
  /// Refuses an admin's action on their own account: it might leave the server without an admin.
  ///
  /// - Throws: ``MemeError/forbidden`` if the actor is the user.
  package func refuse(_ user: UserID) throws(MemeError) {
    if authority.person == user { throw .forbidden }
  }

  /// An entry for an action on a resource of another user.
  ///
  /// - Returns: `nil` if the viewer is not an admin: then the resource is their own.
  package init?(
    at time: Timestamp, _ viewer: Principal, _ act: AdminAct, _ thing: ResourceRef,
    _ request: String
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
