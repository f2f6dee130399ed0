package import Memes
package import Storage

/// Verifies that the user, and not only a holder of the session, sends a request.
package struct IdentityCheck: Sendable {
  /// A sign-in is proof of identity for this time.
  private static let proofMilliseconds: Int64 = 10 * 60_000

  private let users: UserStore
  private let check: PasswordCheck
  private let now: @Sendable () -> Timestamp

  package init(
    users: UserStore, check: PasswordCheck, now: @escaping @Sendable () -> Timestamp
  ) { (self.users, self.check, self.now) = (users, check, now) }

  /// What shows the identity of the user.
  package struct Proof: Sendable {
    package let session: Session
    /// The current password. It is always verified if it is present.
    package let password: Password?
    /// A code of the second factor.
    package let code: String?
    /// Whether a recent sign-in is enough, instead of the password.
    package let acceptsSignIn: Bool

    package init(session: Session, password: Password?, code: String?, acceptsSignIn: Bool) {
      (self.session, self.password) = (session, password)
      (self.code, self.acceptsSignIn) = (code, acceptsSignIn)
    }
  }

  /// Verifies the password, or the time of the sign-in. ``SecondFactorCheck`` verifies the code.
  ///
  /// - Parameter network: the network of the client.
  /// - Returns: the hash against which the password was verified; `nil` if a recent sign-in is the proof.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`password`) if the password is wrong, or missing although it is
  ///   required; ``MemeError/unauthorized`` if the account was deleted; ``MemeError/throttled(_:)`` after too many
  ///   wrong passwords; ``MemeError/overloaded``.
  func verify(_ proof: Proof, from network: ClientNetwork) async throws -> HashedPassword? {
    if let password = proof.password {
      return try await verify(password, of: proof.session.person, from: network)
    }
    let age = now().millisecondsSince1970 - proof.session.createdAt.millisecondsSince1970
    // The age is negative after the clock was set back.
    guard proof.acceptsSignIn, (0..<Self.proofMilliseconds).contains(age) else {
      try await users.account(proof.session.person)?.checkHasPassword(field: "password")
      throw MemeError.invalid(field: "password", .missingPassword)
    }
    return nil
  }

  /// Verifies the password. Throws like ``verify(_:from:)``.
  func verify(
    _ password: Password, of person: UserID, from network: ClientNetwork
  ) async throws -> HashedPassword {
    guard let account = try await users.account(person) else { throw MemeError.unauthorized }
    try account.checkHasPassword(field: "password")
    let isRight = try await check.isRight(
      password, against: account.password, of: .person(person), from: network)
    guard isRight else { throw MemeError.invalid(field: "password", .wrongPassword) }
    return account.password
  }
}

extension Account {
  /// - Throws: ``MemeError/invalid(field:_:)`` if a single sign-on made the account, and its user set no password.
  func checkHasPassword(field: String) throws(MemeError) {
    guard password.isUsable else { throw .invalid(field: field, .noPassword) }
  }
}

extension InvalidValue {
  fileprivate static let noPassword = InvalidValue(
    code: "no-password",
    message:
      "This account has no password yet. Set one with a password reset. If a recent sign-in is enough, sign in again."
  )

  fileprivate static let wrongPassword = InvalidValue(
    code: "wrong-password", message: "Wrong password.")

  fileprivate static let missingPassword = InvalidValue(
    code: "missing", message: "Enter the current password, because the sign-in is not recent.")
}
