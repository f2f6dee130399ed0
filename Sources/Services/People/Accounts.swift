package import Memes
package import Storage

/// Reads, changes and deletes accounts.
package struct Accounts: Sendable {
  /// The number of rows deleted per transaction. It blocks other writers for some tens of milliseconds.
  private static let withdrawnAtOnce = 500

  private let users: UserStore
  private let hasher: PasswordHasher
  private let check: PasswordCheck
  private let notices: AccountNotices
  private let confirmations: EmailConfirmations
  private let throttle: Throttle
  private let now: @Sendable () -> Timestamp

  package init(
    users: UserStore, hasher: PasswordHasher, check: PasswordCheck, notices: AccountNotices,
    confirmations: EmailConfirmations, throttle: Throttle, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.users, self.hasher, self.check, self.now) = (users, hasher, check, now)
    (self.notices, self.confirmations, self.throttle) = (notices, confirmations, throttle)
  }

  /// The signed-in user.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func user(_ id: UserID) async throws -> User { try await account(id).user }

  /// Changes the profile. On return, the change is durable. If the email changes, the old address gets a mail, and
  /// the new one a link that confirms it.
  ///
  /// - Parameters:
  ///   - password: required for changing the email, because the email gives control over the account.
  ///   - network: the network of the client.
  /// - Returns: the user after the change.
  /// - Throws: ``MemeError/emailTaken``, ``MemeError/usernameTaken``, ``MemeError/renamedRecently``;
  ///   ``MemeError/invalid(field:_:)`` for a missing or wrong password;
  ///   ``MemeError/unauthorized`` if the account was deleted; ``MemeError/throttled(_:)`` after too many
  ///   wrong passwords or mails; ``MemeError/overloaded``.
  package func change(
    _ change: ProfileChange, of id: UserID, password: Password?, from network: ClientNetwork
  ) async throws -> User {
    var change = change
    var proof: HashedPassword?
    var former: User?
    if let email = change.email {
      let account = try await account(id)
      if email == account.user.email {
        // Not a change. It must not be written later either, because the email may be different by then.
        change.email = nil
      } else {
        try account.checkHasPassword(field: "password")
        guard let password else { throw MemeError.invalid(field: "password", .missingPassword) }
        proof = try await prove(password, of: account, from: network, field: "password")
        former = account.user
        // Two mails: it is not certain that either address is the user's.
        if confirmations.areOn { try throttle.take(.mail, 2, for: .person(id)) }
      }
    }
    guard let user = try await users.change(change, of: id, if: proof, at: now()) else {
      throw MemeError.unauthorized
    }
    if let former {
      notices.tell(former, .emailChanged)
      confirmations.send(to: user)
    }
    return user
  }

  /// Changes the password and ends all other sessions. On return, the change is durable. The user gets a mail.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` (`current`) if the old password is wrong, (`new`) if the new one
  ///   is not allowed; ``MemeError/unauthorized`` if another request changed the password or deleted the
  ///   account; ``MemeError/throttled(_:)``; ``MemeError/overloaded``.
  package func changePassword(
    of id: UserID, from current: Password, to new: Password, rules: PasswordRules,
    keeping session: SessionID, from network: ClientNetwork
  ) async throws {
    let account = try await account(id)
    if let refusal = rules.refusal(of: new, for: account.user.username, account.user.email) {
      throw MemeError.invalid(field: "new", refusal)
    }
    let old = try await prove(current, of: account, from: network, field: "current")
    let hash = try await hasher.hash(new)
    let isDone = try await users.setPassword(
      hash, of: id, insteadOf: old, at: now(), keeping: session)
    guard isDone else { throw MemeError.unauthorized }
    notices.tell(account.user, .passwordChanged)
  }

  /// Deletes the account and all of its data. On return, the data is inaccessible, even after a crash. The bytes of its
  /// pictures are overwritten soon after.
  ///
  /// First removes the user's activity, follows and memes, in batches. Other writes can run between the batches, and
  /// all counts stay correct. If the process ends in between, the account still exists and can be deleted again.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` (`password`) if the password is wrong;
  ///   ``MemeError/unauthorized`` if another request changed the password or deleted the
  ///   account; ``MemeError/throttled(_:)``; ``MemeError/overloaded``.
  package func delete(
    _ id: UserID, password: Password, from network: ClientNetwork
  ) async throws {
    let proof = try await prove(
      password, of: try await account(id), from: network, field: "password")
    guard try await delete(id, if: proof, recording: nil) else { throw MemeError.unauthorized }
  }

  /// Deletes the account of another user, like ``delete(_:password:from:)``. The first batch writes the entry of the
  /// audit log, so that no data is deleted without one.
  ///
  /// - Throws: ``MemeError/notFound``; ``MemeError/forbidden`` if the actor is the user, or no longer an admin.
  package func delete(_ username: Username, by authority: Authority) async throws {
    guard let user = try await users.account(.username(username))?.user else {
      throw MemeError.notFound
    }
    let entry = AuditEntry(at: now(), authority, .deletePerson, username.text)
    try entry.refuse(user.id)
    guard try await delete(user.id, if: nil, recording: entry) else { throw MemeError.notFound }
  }

  private func delete(
    _ id: UserID, if proof: HashedPassword?, recording entry: AuditEntry?
  ) async throws -> Bool {
    let authority = entry?.authority
    var entry = entry
    while try await users.withdraw(
      id, if: proof, atMost: Self.withdrawnAtOnce, at: now(), by: authority, recording: entry) > 0
    {
      entry = nil
    }
    return try await users.delete(id, if: proof, at: now(), by: authority)
  }

  private func account(_ id: UserID) async throws -> Account {
    guard let account = try await users.account(id) else { throw MemeError.unauthorized }
    return account
  }

  private func prove(
    _ password: Password, of account: Account, from network: ClientNetwork, field: String
  ) async throws -> HashedPassword {
    try account.checkHasPassword(field: field)
    let isRight = try await check.isRight(
      password, against: account.password, of: .person(account.user.id), from: network)
    guard isRight else { throw MemeError.invalid(field: field, .wrongPassword) }
    return account.password
  }
}

extension InvalidValue {
  fileprivate static let wrongPassword = InvalidValue(
    code: "wrong-password", message: "Wrong password.")

  fileprivate static let missingPassword = InvalidValue(
    code: "missing", message: "The password is required to change the email.")
}
