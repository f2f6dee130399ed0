package import Foundation

/// Signs people in.
package struct SigningIn: Sendable {
  private static let attempts = 3

  private let users: any UserStore
  private let store: any SessionStore
  private let sessions: Sessions
  private let hasher: any PasswordHasher
  private let check: PasswordCheck
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable () -> UUID
  private let newToken: @Sendable () -> String

  /// - Parameter newToken: gives texts that nobody can guess.
  package init(
    users: any UserStore, store: any SessionStore, sessions: Sessions, hasher: any PasswordHasher,
    check: PasswordCheck, now: @escaping @Sendable () -> Timestamp,
    newID: @escaping @Sendable () -> UUID,
    newToken: @escaping @Sendable () -> String
  ) {
    (self.users, self.store, self.sessions) = (users, store, sessions)
    (self.hasher, self.check) = (hasher, check)
    (self.now, self.newID, self.newToken) = (now, newID, newToken)
  }

  /// Begins a session. When this returns, it is durable.
  ///
  /// Whether there is such an account does not show: a password is hashed in any case.
  ///
  /// - Parameters:
  ///   - login: `nil` where what was typed can be nobody's.
  ///   - network: where that is done.
  /// - Throws: ``MemeError/wrongCredentials``; ``MemeError/suspended``; ``MemeError/throttled(_:)`` where that was thrown too often;
  ///   ``MemeError/overloaded``; and what the stores throw.
  package func signIn(
    as login: Login?, with password: Password, on client: ClientName?, from network: ClientNetwork
  ) async throws(MemeError) -> SignedIn {
    guard let login else {
      _ = try await hasher.hash(password)
      throw .wrongCredentials
    }
    for _ in 1...Self.attempts {
      let account = try await users.account(login)
      let isRight = try await check.isRight(
        password, against: account?.password, of: GuessedAccount(login), from: network)
      guard let account, isRight else { throw .wrongCredentials }
      // Only whoever has the password hears of it.
      guard !account.standing.isSuspended else { throw .suspended }
      if let signedIn = try await begin(for: account, with: password, on: client) {
        return signedIn
      }
    }
    throw .wrongCredentials
  }

  /// - Returns: `nil` where the password was changed meanwhile, or only its hash, by another sign-in.
  private func begin(
    for account: Account, with password: Password, on client: ClientName?
  ) async throws(MemeError) -> SignedIn? {
    let rehashed = hasher.isOutdated(account.password) ? try await hasher.hash(password) : nil
    let (token, time) = (newToken(), now())
    let session = Session(
      id: SessionID(newID()), person: account.user.id, createdAt: time, lastUsedAt: time,
      client: client, standing: account.standing)
    let isKept = try await store.insert(
      session, token: sessions.digest(of: token), if: account.password, becoming: rehashed)
    return isKept ? SignedIn(user: account.user, session: session, token: token) : nil
  }
}

/// Somebody who has just signed in.
package struct SignedIn: Sendable {
  package let user: User
  package let session: Session
  /// Opens the session. It is not stored.
  package let token: String
}
