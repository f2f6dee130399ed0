import Bytes
import Crypto
package import Memes
package import Storage

/// Makes access tokens.
package struct AccessTokens: Sendable {
  /// A sign-in is proof of identity for this time.
  private static let proofMilliseconds: Int64 = 10 * 60_000

  private let store: AccessTokenStore
  private let users: UserStore
  private let check: PasswordCheck
  private let context: ServiceContext

  package init(
    store: AccessTokenStore, users: UserStore, check: PasswordCheck, context: ServiceContext
  ) {
    (self.store, self.users, self.check, self.context) = (store, users, check, context)
  }

  /// Makes a token. On return, it is durable.
  ///
  /// - Parameters:
  ///   - network: the network of the client.
  /// - Throws: ``MemeError/invalid(field:_:)`` (`password`) if the password is wrong, or missing although it is
  ///   required; (`expiresAt`); ``MemeError/forbidden`` if a member wants the scope `admin`;
  ///   ``MemeError/tooManyTokens``; ``MemeError/unauthorized`` if the session ended, or the password changed;
  ///   ``MemeError/suspended``; ``MemeError/throttled(_:)`` after too many wrong passwords; ``MemeError/overloaded``.
  package func make(
    _ terms: AccessToken.Terms, proof: Proof, from network: ClientNetwork
  ) async throws -> NewAccessToken {
    let (session, time) = (proof.session, context.now())
    guard terms.expiresAt.map({ $0 > time }) ?? true else {
      throw MemeError.invalid(
        field: "expiresAt",
        InvalidValue(code: "out-of-range", message: "Must be in the future, or null."))
    }
    guard session.accountStatus.role == .admin || !terms.scopes.permits(.admin) else {
      throw MemeError.forbidden
    }
    let password = try await verify(proof, at: time, from: network)
    let token = AccessToken(
      id: AccessTokenID.version7(at: time, random: Random.uuid()), of: session.person, terms,
      createdAt: time)
    let secret =
      AccessTokenText.prefix + Base64URL.encode(Random.bytes(AccessTokenText.randomBytes))
    let isStored = try await store.insert(
      token, secret: context.digest(Bytes(secret)), if: password, in: session.id)
    guard isStored else { throw MemeError.unauthorized }
    return NewAccessToken(token: token, secret: secret)
  }

  /// - Returns: the hash against which the password was verified; `nil` if a recent sign-in is the proof.
  private func verify(
    _ proof: Proof, at time: Timestamp, from network: ClientNetwork
  ) async throws -> HashedPassword? {
    let session = proof.session
    guard let password = proof.password else {
      let age = time.millisecondsSince1970 - session.createdAt.millisecondsSince1970
      guard proof.acceptsSignIn, age < Self.proofMilliseconds else {
        throw MemeError.invalid(field: "password", .missingPassword)
      }
      return nil
    }
    guard let account = try await users.account(session.person) else {
      throw MemeError.unauthorized
    }
    let isRight = try await check.isRight(
      password, against: account.password, of: .person(session.person), from: network)
    guard isRight else { throw MemeError.invalid(field: "password", .wrongPassword) }
    return account.password
  }

  /// What shows that the user, and not only a holder of the session, makes the token.
  package struct Proof: Sendable {
    package let session: Session
    /// The current password. It is always verified if it is present.
    package let password: Password?
    /// Whether a recent sign-in is enough.
    package let acceptsSignIn: Bool

    package init(session: Session, password: Password?, acceptsSignIn: Bool) {
      (self.session, self.password, self.acceptsSignIn) = (session, password, acceptsSignIn)
    }
  }
}

extension InvalidValue {
  fileprivate static let wrongPassword = InvalidValue(
    code: "wrong-password", message: "Wrong password.")

  fileprivate static let missingPassword = InvalidValue(
    code: "missing", message: "Enter the current password, because the sign-in is not recent.")
}

/// An access token that was just made.
package struct NewAccessToken: Sendable {
  package let token: AccessToken
  /// The credential. Only its digest is stored.
  package let secret: String
}
