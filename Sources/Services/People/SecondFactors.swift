import Bytes
package import Crypto
package import Memes
package import Storage

/// Turns second factors on and off. Users get a mail about each change.
///
/// Every call may throw ``MemeError/invalid(field:_:)`` (`password`, `code`); ``MemeError/unauthorized`` if the session
/// ended, or the password changed; ``MemeError/suspended``; ``MemeError/throttled(_:)`` after too many wrong passwords
/// or codes; ``MemeError/secondFactorUnreadable(_:)``; ``MemeError/overloaded``.
package struct SecondFactors: Sendable {
  private let store: SecondFactorStore
  private let cipher: SecretCipher
  private let identity: IdentityCheck
  private let check: SecondFactorCheck
  private let notices: AccountNotices
  private let context: ServiceContext

  /// - Parameter cipher: encrypts the stored secrets.
  package init(
    store: SecondFactorStore, cipher: SecretCipher, identity: IdentityCheck,
    check: SecondFactorCheck, notices: AccountNotices, context: ServiceContext
  ) {
    (self.store, self.cipher, self.identity) = (store, cipher, identity)
    (self.check, self.notices, self.context) = (check, notices, context)
  }

  /// Makes a secret for the user's app. The second factor is not on yet. Replaces an earlier secret that is not on.
  ///
  /// - Returns: the secret, in Base32.
  /// - Throws: ``MemeError/secondFactorOn``.
  package func begin(
    _ proof: IdentityCheck.Proof, from network: ClientNetwork
  ) async throws -> String {
    let password = try await identity.verify(proof, from: network)
    let (person, secret) = (proof.session.person, Random.bytes(TOTP.secretBytes))
    let isStored = try await store.begin(
      sealed: cipher.seal(secret, for: person.cipherContext), of: person, if: password,
      in: proof.session.id)
    guard isStored else { throw MemeError.unauthorized }
    return Base32.encode(secret)
  }

  /// Turns the second factor on, with a code that shows that the app has the secret. On return, this is durable.
  ///
  /// - Returns: the recovery codes. Only their digests are stored.
  /// - Throws: ``MemeError/notFound`` if no secret was made; ``MemeError/secondFactorOn``.
  package func turnOn(
    _ code: String, _ password: Password, in session: Session, from network: ClientNetwork
  ) async throws -> [String] {
    let proof = try await prove(password, in: session, from: network)
    guard let factor = try await store.stored(of: session.person) else { throw MemeError.notFound }
    guard !factor.isOn else { throw MemeError.secondFactorOn }
    let codes = Self.makeCodes()
    let isOn = try await check.confirm(code, of: session.person, against: factor) { use in
      guard case .step(let step, let sealed) = use else { throw MemeError.invalidCode }
      return try await store.turnOn(
        sealed: sealed, step: step, codes: codes.map(digest), at: context.now(), proof)
    }
    guard isOn else { throw MemeError.unauthorized }
    await notices.tell(session.person, .secondFactorOn)
    return codes.map(SecondFactorCode.grouped)
  }

  /// Turns the second factor off. On return, this is durable.
  ///
  /// - Parameter code: required if the second factor is on.
  /// - Throws: ``MemeError/notFound`` if there is none.
  package func turnOff(
    _ code: String?, _ password: Password, in session: Session, from network: ClientNetwork
  ) async throws {
    let proof = try await prove(password, in: session, from: network)
    let isOff = try await check.confirm(code, of: session.person) { use in
      try await store.turnOff(using: use, proof)
    }
    guard isOff else { throw MemeError.unauthorized }
    await notices.tell(session.person, .secondFactorOff)
  }

  /// Makes new recovery codes. The earlier ones are then invalid.
  ///
  /// - Throws: ``MemeError/notFound`` if the second factor is not on.
  package func renewCodes(
    _ code: String, _ password: Password, in session: Session, from network: ClientNetwork
  ) async throws -> [String] {
    let proof = try await prove(password, in: session, from: network)
    let codes = Self.makeCodes()
    let isDone = try await check.confirm(code, of: session.person) { use in
      try await store.replaceCodes(by: codes.map(digest), using: use, proof)
    }
    guard isDone else { throw MemeError.unauthorized }
    await notices.tell(session.person, .newRecoveryCodes)
    return codes.map(SecondFactorCode.grouped)
  }

  private func prove(
    _ password: Password, in session: Session, from network: ClientNetwork
  ) async throws -> SecondFactorProof {
    let hash = try await identity.verify(password, of: session.person, from: network)
    return SecondFactorProof(person: session.person, password: hash, session: session.id)
  }

  private func digest(_ code: String) -> Digest { context.digest(Bytes(code)) }

  private static func makeCodes() -> [String] {
    (0..<SecondFactor.recoveryCodeCount).map { _ in
      Base32.encode(Random.bytes(SecondFactorCode.recoveryBytes)).lowercased()
    }
  }
}
