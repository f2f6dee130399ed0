package import Memes
package import Storage

/// Creates accounts.
package struct Registering: Sendable {
  private let users: UserStore
  private let hasher: PasswordHasher
  private let retrying: Retrying
  private let now: @Sendable () -> Timestamp
  private let newID: @Sendable () -> UserID
  private let hasRoom: @Sendable () -> Bool

  /// - Parameter hasRoom: whether the disk has room for more data; the rest is reserved for deletions.
  package init(
    users: UserStore, hasher: PasswordHasher, retrying: Retrying,
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable () -> UserID,
    hasRoom: @escaping @Sendable () -> Bool
  ) {
    (self.users, self.hasher, self.retrying) = (users, hasher, retrying)
    (self.now, self.newID, self.hasRoom) = (now, newID, hasRoom)
  }

  /// Creates an account. On return, it is durable.
  ///
  /// - Parameter retry: set if the request has an idempotency key.
  /// - Returns: the new user, or the current one if the request repeats an earlier one.
  /// - Throws: ``MemeError/usernameTaken``, ``MemeError/emailTaken``; ``MemeError/gone`` if the request repeats an
  ///   earlier one whose account was deleted; ``MemeError/overloaded``, ``MemeError/storageFull``,
  ///   ``MemeError/keyInUse``, ``MemeError/keyReused``; the errors of the store.
  package func register(
    _ application: Application, under retry: Retry<User>? = nil
  ) async throws -> Outcome {
    let outcome = try await retrying.answer(retry, repeated: Step.repeated) {
      guard hasRoom() else { throw MemeError.storageFull }
      let password = try await hasher.hash(application.password)
      let user = application.user(newID(), at: now())
      let answer = retry?.first(making: user, id: user.id.uuid, at: user.createdAt)
      let account = Account(user: user, password: password)
      guard let first = try await users.insert(account, answering: answer) else {
        return .registered(user)
      }
      return .repeated(try first.repeated(for: retry?.request))
    }
    switch outcome {
    case .registered(let user): return .registered(user)
    case .repeated(let first):
      guard let account = try await users.account(UserID(first.made)) else { throw MemeError.gone }
      return .repeated(account.user, first)
    }
  }

  /// The data of a new account.
  package struct Application: Sendable {
    package let username: Username
    package let email: EmailAddress
    package let password: Password
    package let displayName: DisplayName?

    package init(
      username: Username, email: EmailAddress, password: Password, displayName: DisplayName?
    ) {
      (self.username, self.email) = (username, email)
      (self.password, self.displayName) = (password, displayName)
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
