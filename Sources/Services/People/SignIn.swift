import Bytes
import Crypto
package import Memes
package import Storage

/// Signs users in.
package struct SignIn: Sendable {
  private static let attempts = 3

  private let users: UserStore
  private let sessions: SessionStore
  private let hasher: PasswordHasher
  private let check: PasswordCheck
  private let context: ServiceContext

  package init(
    users: UserStore, sessions: SessionStore, hasher: PasswordHasher, check: PasswordCheck,
    context: ServiceContext
  ) {
    (self.users, self.sessions) = (users, sessions)
    (self.hasher, self.check, self.context) = (hasher, check, context)
  }

  /// Begins a session. On return, it is durable.
  ///
  /// The call does not reveal whether the account exists: it hashes a password in any case.
  ///
  /// - Parameters:
  ///   - login: `nil` if the entered text is neither a valid username nor a valid email.
  ///   - network: the network of the client.
  /// - Throws: ``MemeError/wrongCredentials``; ``MemeError/suspended``; ``MemeError/throttled(_:)`` after too many
  ///   wrong passwords; ``MemeError/overloaded``; the errors of the stores.
  package func signIn(
    as login: Login?, with password: Password, on client: ClientName?, from network: ClientNetwork
  ) async throws -> SignedIn {
    guard let login else {
      _ = try await hasher.hash(password)
      throw MemeError.wrongCredentials
    }
    for _ in 1...Self.attempts {
      let account = try await users.account(login)
      let isRight = try await check.isRight(
        password, against: account?.password, of: ClaimedLogin(login), from: network)
      guard let account, isRight else { throw MemeError.wrongCredentials }
      // Only a caller with the correct password learns that the account is suspended.
      guard !account.accountStatus.isSuspended else { throw MemeError.suspended }
      if let signedIn = try await begin(for: account, with: password, on: client) {
        return signedIn
      }
    }
    throw MemeError.wrongCredentials
  }

  /// - Returns: `nil` if the password changed during the call, or another sign-in replaced its hash.
  private func begin(
    for account: Account, with password: Password, on client: ClientName?
  ) async throws -> SignedIn? {
    let rehashed = hasher.isOutdated(account.password) ? try await hasher.hash(password) : nil
    let (token, time) = (SecretToken.make(), context.now())
    let session = Session(
      id: SessionID(Random.uuid()), person: account.user.id, createdAt: time, lastUsedAt: time,
      client: client, accountStatus: account.accountStatus)
    let isStored = try await sessions.insert(
      session, token: context.digest(Bytes(token)), if: account.password, becoming: rehashed)
    return isStored ? SignedIn(user: account.user, session: session, token: token) : nil
  }
}

/// A user who has just signed in.
package struct SignedIn: Sendable {
  package let user: User
  package let session: Session
  /// The credential of the session. Only its digest is stored.
  package let token: String
}
