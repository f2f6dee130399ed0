/// What people see and change of their accounts.
package struct Accounts: Sendable {
  /// Some tens of milliseconds, while which nobody else can write.
  private static let withdrawnAtOnce = 500

  private let users: any UserStore
  private let hasher: any PasswordHasher
  private let check: PasswordCheck
  private let mails: MailQueue
  private let letters: AccountLetters
  private let now: @Sendable () -> Timestamp

  package init(
    users: any UserStore, hasher: any PasswordHasher, check: PasswordCheck, mails: MailQueue,
    letters: AccountLetters, now: @escaping @Sendable () -> Timestamp
  ) {
    (self.users, self.hasher, self.check, self.now) = (users, hasher, check, now)
    (self.mails, self.letters) = (mails, letters)
  }

  /// The person who asks.
  ///
  /// - Throws: ``MemeError/unauthorized`` where they left meanwhile.
  package func user(_ id: UserID) async throws(MemeError) -> User { try await account(id).user }

  /// Changes the profile. When this returns, that is durable. Of another email the old one is told.
  ///
  /// - Parameters:
  ///   - password: needed for another email: by way of the email an account can be taken over.
  ///   - network: where that is done.
  /// - Returns: the person as they are now.
  /// - Throws: ``MemeError/emailTaken``; ``MemeError/invalid(field:_:)`` for a password that is missing or wrong;
  ///   ``MemeError/unauthorized`` where the account was deleted meanwhile; ``MemeError/throttled(_:)`` where too many
  ///   passwords were wrong; ``MemeError/overloaded``.
  package func change(
    _ change: ProfileChange, of id: UserID, password: Password?, from network: ClientNetwork
  ) async throws(MemeError) -> User {
    var change = change
    var proof: HashedPassword?
    var former: User?
    if let email = change.email {
      let account = try await account(id)
      if email == account.user.email {
        // No change, and nothing may be made of it: by the time it is written the email may be another one.
        change.email = nil
      } else {
        guard let password else { throw .invalid(field: "password", .missingPassword) }
        proof = try await prove(password, of: account, from: network, field: "password")
        former = account.user
      }
    }
    guard let user = try await users.change(change, of: id, if: proof) else { throw .unauthorized }
    if let former { mails.notify(letters.emailChanged(former)) }
    return user
  }

  /// Changes the password and ends all sessions but one. When this returns, that is durable. The person is told by mail.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` (`current`) where the old one is wrong, (`new`) where the new one cannot be taken;
  ///   ``MemeError/unauthorized`` where it was changed or the account deleted meanwhile; ``MemeError/throttled(_:)``; ``MemeError/overloaded``.
  package func changePassword(
    of id: UserID, from current: Password, to new: Password, rules: PasswordRules,
    keeping session: SessionID, from network: ClientNetwork
  ) async throws(MemeError) {
    let account = try await account(id)
    if let refusal = rules.refusal(of: new, for: account.user.username, account.user.email) {
      throw .invalid(field: "new", refusal)
    }
    let old = try await prove(current, of: account, from: network, field: "current")
    let hash = try await hasher.hash(new)
    let isDone = try await users.setPassword(
      hash, of: id, insteadOf: old, at: now(), keeping: session)
    guard isDone else { throw .unauthorized }
    mails.notify(letters.passwordChanged(account.user))
  }

  /// Deletes the account and everything that the person made. When this returns, nobody sees anything of it, also after a
  /// crash; the bytes of its pictures are overwritten soon after.
  ///
  /// What the person did with others' memes goes first and some at a time, so that others write in between and counts are
  /// true all the while. Where the process ends in the middle, the account is still there, and can be deleted again.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` (`password`) where that is wrong; ``MemeError/unauthorized`` where it was
  ///   changed or the account deleted meanwhile; ``MemeError/throttled(_:)``; ``MemeError/overloaded``.
  package func delete(
    _ id: UserID, password: Password, from network: ClientNetwork
  ) async throws(MemeError) {
    let proof = try await prove(
      password, of: try await account(id), from: network, field: "password")
    let batch = Self.withdrawnAtOnce
    while try await users.withdraw(id, if: proof, atMost: batch) == batch {}
    guard try await users.delete(id, if: proof, at: now()) else { throw .unauthorized }
  }

  private func account(_ id: UserID) async throws(MemeError) -> Account {
    guard let account = try await users.account(id) else { throw .unauthorized }
    return account
  }

  private func prove(
    _ password: Password, of account: Account, from network: ClientNetwork, field: String
  ) async throws(MemeError) -> HashedPassword {
    let isRight = try await check.isRight(
      password, against: account.password, of: .person(account.user.id), from: network)
    guard isRight else { throw .invalid(field: field, .wrongPassword) }
    return account.password
  }
}

extension InvalidValue {
  fileprivate static let wrongPassword = InvalidValue(
    code: "wrong-password", message: "This is not the password of the account.")

  fileprivate static let missingPassword = InvalidValue(
    code: "missing", message: "Another email needs the password.")
}
