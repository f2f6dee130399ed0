import Bytes
import Crypto
package import Memes
package import Storage

/// Signs users in.
package struct SignIn: Sendable {
  private static let attempts = 3
  /// So long after the registration, sign-ins are not reported: the user sets up their devices.
  private static let newUserMilliseconds: Int64 = 60 * 60_000

  private let users: UserStore
  private let sessions: SessionStore
  private let check: PasswordCheck
  private let factors: SecondFactorCheck
  private let notices: AccountNotices
  private let context: ServiceContext

  package init(
    users: UserStore, sessions: SessionStore, check: PasswordCheck, factors: SecondFactorCheck,
    notices: AccountNotices, context: ServiceContext
  ) {
    (self.users, self.sessions, self.check) = (users, sessions, check)
    (self.factors, self.notices, self.context) = (factors, notices, context)
  }

  /// Begins a session. On return, it is durable.
  ///
  /// The call does not reveal whether the account exists: it hashes a password in any case. Without the password, it
  /// does not reveal whether the account has a second factor: nothing about it is read before the password is verified.
  ///
  /// - Parameter network: the network of the client.
  /// - Throws: ``MemeError/wrongCredentials``; ``MemeError/suspended``; ``MemeError/throttled(_:)`` after too many
  ///   wrong passwords or codes; ``MemeError/overloaded``; the errors of ``SecondFactorCheck`` and of the stores.
  package func signIn(
    _ credentials: Credentials, on client: ClientName?, from network: ClientNetwork
  ) async throws -> SignedIn {
    let password = credentials.password
    guard let login = credentials.login else {
      _ = try await check.hasher.hash(password)
      throw MemeError.wrongCredentials
    }
    for _ in 1...Self.attempts {
      let account = try await users.account(login)
      let isRight = try await check.isRight(
        password, against: account?.password, of: ClaimedLogin(login), from: network)
      guard let account, isRight else { throw MemeError.wrongCredentials }
      // Only a caller with the correct password learns that the account is suspended.
      guard !account.accountStatus.isSuspended else { throw MemeError.suspended }
      let signedIn = try await factors.verify(credentials.code, of: account.user.id) { use in
        let rehashed =
          check.hasher.isOutdated(account.password) ? try await check.hasher.hash(password) : nil
        return try await begin(for: account, becoming: rehashed, using: use, on: client)
      }
      if let signedIn { return signedIn }
    }
    throw MemeError.wrongCredentials
  }

  /// Begins a session of a user whose identity was verified. Tells the user about a new device.
  ///
  /// - Parameter rehashed: a new hash of the same password to store; `nil` keeps the hash.
  /// - Returns: `nil` if the password changed since the account was read, or another sign-in replaced its hash.
  func begin(
    for account: Account, becoming rehashed: HashedPassword? = nil, using use: SecondFactorUse,
    on client: ClientName?
  ) async throws -> SignedIn? {
    let (token, time) = (SecretToken.make(), context.now())
    let session = Session(
      id: SessionID(Random.uuid()), person: account.user.id, createdAt: time, lastUsedAt: time,
      client: client, accountStatus: account.accountStatus)
    let insertion = try await sessions.insert(
      session, token: context.digest(Bytes(token)), if: account.password, becoming: rehashed,
      using: use)
    guard case .inserted(let isNewDevice) = insertion else { return nil }
    let age = time.millisecondsSince1970 - account.user.createdAt.millisecondsSince1970
    if isNewDevice, age >= Self.newUserMilliseconds {
      notices.tell(account.user, .newDevice(at: time))
    }
    return SignedIn(user: account.user, session: session, token: token)
  }

  /// What a user enters to sign in.
  package struct Credentials: Sendable {
    /// `nil` if the entered text is neither a valid username nor a valid email.
    let login: Login?
    let password: Password
    /// A code of the second factor.
    let code: String?

    package init(login: Login?, password: Password, code: String?) {
      (self.login, self.password, self.code) = (login, password, code)
    }
  }
}

/// A user who has just signed in.
package struct SignedIn: Sendable {
  package let user: User
  package let session: Session
  /// The credential of the session. Only its digest is stored.
  package let token: String
}
