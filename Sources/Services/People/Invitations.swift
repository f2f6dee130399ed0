import Bytes
import Crypto
package import Memes
package import Storage

/// Makes invitations. Members may make few, each for one person.
package struct Invitations: Sendable {
  private let store: InvitationStore
  private let mode: RegistrationMode
  private let memberCount: Int
  private let context: ServiceContext

  /// - Parameter memberCount: the maximum number of valid invitations of a member.
  package init(
    store: InvitationStore, mode: RegistrationMode, memberCount: Int, context: ServiceContext
  ) {
    (self.store, self.mode, self.memberCount, self.context) = (store, mode, memberCount, context)
  }

  /// Makes an invitation. On return, it is durable.
  ///
  /// - Parameters:
  ///   - viewer: a signed-in user, or the admin token.
  ///   - request: the ID of the request, for the audit log.
  /// - Throws: ``MemeError/registrationClosed`` if no invitation can be used; ``MemeError/forbidden`` if a member may
  ///   not make this invitation; ``MemeError/invalid(field:_:)`` (`expiresAt`); ``MemeError/tooManyInvitations``; the
  ///   errors of the store.
  package func make(
    _ wish: Wish, by viewer: Principal, request: String
  ) async throws -> NewInvitation {
    guard mode != .closed else { throw MemeError.registrationClosed }
    let (isAdmin, time) = (viewer.isAdmin, context.now())
    guard isAdmin || memberCount > 0 && wish.role == .member && wish.uses == 1 else {
      throw MemeError.forbidden
    }
    let terms = Invitation.Terms(
      email: wish.email, role: wish.role, uses: wish.uses,
      expiresAt: try Self.expiry(wish.expiresAt, from: time, isAdmin: isAdmin))
    let id = InvitationID.version7(at: time, random: Random.uuid())
    let code = Self.newCode()
    let entry = Authority(viewer, request: request).map { authority in
      AuditEntry(
        at: time, authority, .createInvitation, id.description, AuditDetails(role: wish.role))
    }
    let inviter = try await store.insert(
      Invitation(id: id, inviter: nil, createdAt: time, terms: terms),
      code: context.digest(Bytes(code)), by: viewer,
      most: isAdmin ? Invitation.maximumCount : memberCount, recording: entry)
    return NewInvitation(
      invitation: Invitation(id: id, inviter: inviter, createdAt: time, terms: terms), code: code)
  }

  /// Deletes an invitation. On return, its code is invalid.
  ///
  /// - Throws: ``MemeError/notFound`` if the viewer has no such invitation; the errors of the store.
  package func delete(
    _ id: InvitationID, by viewer: Principal, request: String
  ) async throws {
    let entry = Authority(viewer, request: request).map { authority in
      AuditEntry(at: context.now(), authority, .deleteInvitation, id.description)
    }
    try await store.delete(id, by: viewer, recording: entry)
  }

  /// What an inviter wants.
  package struct Wish: Sendable {
    package let email: EmailAddress?
    package let role: Role
    package let uses: Int
    /// `nil` for the standard time.
    package let expiresAt: Timestamp?

    package init(email: EmailAddress?, role: Role, uses: Int, expiresAt: Timestamp?) {
      (self.email, self.role, self.uses, self.expiresAt) = (email, role, uses, expiresAt)
    }
  }

  /// 128 bits cannot be guessed.
  static func newCode() -> String { Base64URL.encode(Random.bytes(16)) }

  private static func expiry(
    _ wish: Timestamp?, from now: Timestamp, isAdmin: Bool
  ) throws(MemeError) -> Timestamp {
    func later(_ milliseconds: Int64) -> Timestamp {
      Timestamp(millisecondsSince1970: now.millisecondsSince1970 + milliseconds)
    }
    guard let wish else { return later(Invitation.lifetimeMilliseconds) }
    let most = isAdmin ? Invitation.maximumMilliseconds : Invitation.lifetimeMilliseconds
    guard wish > now, wish <= later(most) else {
      throw .invalid(
        field: "expiresAt",
        InvalidValue(
          code: "out-of-range",
          message: "Must be in the future, and at most \(most / 86_400_000) days from now."))
    }
    return wish
  }
}

/// An invitation that was just made.
package struct NewInvitation: Sendable {
  package let invitation: Invitation
  /// The credential. Only its digest is stored.
  package let code: String
}
