import Bytes
import Crypto
package import Memes
package import Storage

/// Creates accounts.
package struct Registration: Sendable {
  private let users: UserStore
  private let mode: RegistrationMode
  private let hasher: PasswordHasher
  private let confirmations: EmailConfirmations
  private let context: ServiceContext

  package init(
    users: UserStore, mode: RegistrationMode, hasher: PasswordHasher,
    confirmations: EmailConfirmations, context: ServiceContext
  ) {
    (self.users, self.mode, self.hasher) = (users, mode, hasher)
    (self.confirmations, self.context) = (confirmations, context)
  }

  /// Creates an account. On return, it is durable. The user gets a mail with a link that confirms the email.
  ///
  /// - Parameter request: `nil` if the request has no idempotency key.
  /// - Returns: the new user, or the current one if the request repeats an earlier one.
  /// - Throws: ``MemeError/registrationClosed``, ``MemeError/invalidInvitation``, ``MemeError/usernameTaken``,
  ///   ``MemeError/emailTaken``; ``MemeError/gone`` if the request repeats an earlier one whose account was deleted;
  ///   ``MemeError/overloaded``, ``MemeError/storageFull``, ``MemeError/keyInUse``, ``MemeError/keyReused``; the errors
  ///   of the store.
  package func register(
    _ application: Application, under request: IdempotentRequest<User>? = nil
  ) async throws -> Outcome {
    let outcome = try await context.idempotency.perform(request, repeated: Step.repeated) {
      guard context.hasRoom() else { throw MemeError.storageFull }
      let invitation = try admit(application)
      let password = try await hasher.hash(application.password)
      let user = application.user(UserID(Random.uuid()), at: context.now())
      let record = request?.record(of: user, id: user.id.uuid, at: user.createdAt)
      let account = Account(user: user, password: password)
      switch try await insert(account, invitation, recording: record) {
      case .inserted(let user):
        confirmations.send(to: user)
        return .registered(user)
      case .repeated(let first): return .repeated(try first.repeated(for: request?.digest))
      }
    }
    switch outcome {
    case .registered(let user): return .registered(user)
    case .repeated(let first):
      guard let account = try await users.account(UserID(first.made)) else { throw MemeError.gone }
      return .repeated(account.user, first)
    }
  }

  /// The transaction that creates the account checks the invitation itself.
  ///
  /// - Returns: the digest of the invitation's code; `nil` without one.
  private func admit(_ application: Application) throws(MemeError) -> Digest? {
    switch mode {
    case .invite, .closed:
      guard application.invitation != nil else { throw .registrationClosed }
    case .open: break
    }
    return application.invitation.map { context.digest(Bytes($0)) }
  }

  private func insert(
    _ account: Account, _ invitation: Digest?, recording record: IdempotencyRecord?
  ) async throws -> AccountInsertion {
    do {
      return try await users.insert(
        account, invitation: invitation, mustBeSetup: mode == .closed, recording: record)
    } catch MemeError.invalidInvitation where mode == .closed { throw MemeError.registrationClosed }
  }

  /// The data of a new account.
  package struct Application: Sendable {
    package let username: Username
    package let email: EmailAddress
    package let password: Password
    package let displayName: DisplayName?
    /// The code of an invitation.
    package let invitation: String?

    package init(
      username: Username, email: EmailAddress, password: Password, displayName: DisplayName?,
      invitation: String? = nil
    ) {
      (self.username, self.email) = (username, email)
      (self.password, self.displayName) = (password, displayName)
      self.invitation = invitation
    }

    fileprivate func user(_ id: UserID, at time: Timestamp) -> User {
      User(
        id: id, username: username, email: email, displayName: displayName, biography: nil,
        createdAt: time, passwordChangedAt: time)
    }
  }

  private enum Step {
    case registered(User)
    case repeated(IdempotencyRecord)
  }

  /// The result of a registration.
  package enum Outcome: Sendable {
    case registered(User)
    /// The stored response of an earlier request with the same key.
    case repeated(User, IdempotencyRecord)
  }
}
