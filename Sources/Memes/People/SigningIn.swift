package import Foundation

/// Signs people in.
package struct SigningIn: Sendable {
  private static let attempts = 3

  private let users: any UserStore
  private let store: any SessionStore
  private let sessions: Sessions
  private let hasher: any PasswordHasher
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable () -> UUID
  private let newToken: @Sendable () -> String

  /// - Parameter newToken: gives texts that nobody can guess.
  package init(
    users: any UserStore, store: any SessionStore, sessions: Sessions, hasher: any PasswordHasher,
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable () -> UUID,
    newToken: @escaping @Sendable () -> String
  ) {
    (self.users, self.store, self.sessions, self.hasher) = (users, store, sessions, hasher)
    (self.now, self.newID, self.newToken) = (now, newID, newToken)
  }

  /// Begins a session. When this returns, it is durable.
  ///
  /// Whether there is such an account does not show: a password is hashed in any case.
  ///
  /// - Parameter login: `nil` where what was typed can be nobody's.
  /// - Throws: ``MemeError/wrongCredentials``; ``MemeError/overloaded``; and what the stores throw.
  package func signIn(
    as login: Login?, with password: Password, from client: ClientName?
  ) async throws(MemeError) -> SignedIn {
    for _ in 1...Self.attempts {
      let account: Account? = if let login { try await users.account(login) } else { nil }
      guard let account else {
        _ = try await hasher.hash(password)
        throw .wrongCredentials
      }
      guard try await hasher.verify(password, against: account.password) else {
        throw .wrongCredentials
      }
      if let signedIn = try await begin(for: account, with: password, from: client) {
        return signedIn
      }
    }
    throw .wrongCredentials
  }

  /// - Returns: `nil` where the password was changed meanwhile, or only its hash, by another sign-in.
  private func begin(
    for account: Account, with password: Password, from client: ClientName?
  ) async throws(MemeError) -> SignedIn? {
    let rehashed = hasher.isOutdated(account.password) ? try await hasher.hash(password) : nil
    let (token, time) = (newToken(), now())
    let session = Session(
      id: SessionID(newID()), person: account.user.id, createdAt: time, lastUsedAt: time,
      client: client)
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
