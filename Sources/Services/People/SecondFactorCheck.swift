import Bytes
package import Crypto
package import Memes
package import Storage

/// Verifies codes of second factors, and limits guessing.
///
/// Wrong codes are counted per account, on all networks: only a caller with the password can try codes, so the count
/// does not let strangers lock an account.
package struct SecondFactorCheck: Sendable {
  private let store: SecondFactorStore
  private let cipher: SecretCipher
  private let throttle: SharedThrottle
  private let context: ServiceContext

  /// - Parameter cipher: decrypts the stored secrets.
  package init(
    store: SecondFactorStore, cipher: SecretCipher, throttle: SharedThrottle,
    context: ServiceContext
  ) {
    (self.store, self.cipher, self.throttle, self.context) = (store, cipher, throttle, context)
  }

  /// Verifies the code of a user whose password was verified, if the second factor is on.
  ///
  /// - Parameters:
  ///   - code: `nil` if the request has none.
  ///   - body: the transaction for which the code is needed, and which makes the code invalid.
  /// - Throws: ``MemeError/codeRequired``; ``MemeError/invalidCode``; ``MemeError/throttled(_:)`` after too many wrong
  ///   codes, even if this one is right; ``MemeError/secondFactorUnreadable(_:)``; the errors of `body`.
  func verify<Value>(
    _ code: String?, of person: UserID, _ body: (SecondFactorUse) async throws -> Value
  ) async throws -> Value {
    guard let factor = try await store.stored(of: person), factor.isOn else {
      return try await body(.off)
    }
    return try await verify(code, of: person, against: factor, body)
  }

  /// Like ``verify(_:of:_:)``, for a request of a signed-in user.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` (`code`) if the code is wrong, or missing although it is required.
  func confirm<Value>(
    _ code: String?, of person: UserID, against factor: StoredSecondFactor? = nil,
    _ body: (SecondFactorUse) async throws -> Value
  ) async throws -> Value {
    do {
      if let factor { return try await verify(code, of: person, against: factor, body) }
      return try await verify(code, of: person, body)
    } catch MemeError.codeRequired {
      throw MemeError.invalid(field: "code", .missingCode)
    } catch MemeError.invalidCode {
      throw MemeError.invalid(field: "code", .wrongCode)
    }
  }

  private func verify<Value>(
    _ code: String?, of person: UserID, against factor: StoredSecondFactor,
    _ body: (SecondFactorUse) async throws -> Value
  ) async throws -> Value {
    guard let code else { throw MemeError.codeRequired }
    guard let code = SecondFactorCode(code) else { throw MemeError.invalidCode }
    let guesser = Caller.person(person)
    // Counted before the result is known, so that concurrent guesses cannot exceed the limit.
    try await throttle.take(.wrongCode, for: guesser)
    let value: Value
    do { value = try await body(use(of: code, person, factor)) } catch MemeError.invalidCode {
      throw MemeError.invalidCode
    } catch {
      await throttle.giveBack(.wrongCode, to: guesser)
      throw error
    }
    await throttle.giveBack(.wrongCode, to: guesser)
    return value
  }

  private func use(
    of code: SecondFactorCode, _ person: UserID, _ factor: StoredSecondFactor
  ) throws -> SecondFactorUse {
    switch code {
    case .recovery(let text): return .recovery(context.digest(Bytes(text)))
    case .computed(let digits):
      guard let secret = cipher.open(factor.sealed, for: person.cipherContext) else {
        throw MemeError.secondFactorUnreadable(person)
      }
      let time = context.now().millisecondsSince1970
      guard let step = try TOTP.step(of: digits, secret: secret, at: time) else {
        throw MemeError.invalidCode
      }
      return .step(step, sealed: factor.sealed)
    }
  }
}

extension UserID {
  /// Binds an encrypted secret to its account.
  var cipherContext: [UInt8] { Array(description.utf8) }
}

extension InvalidValue {
  fileprivate static let missingCode = InvalidValue(
    code: "missing", message: "Enter a code of your authenticator app, or a recovery code.")

  fileprivate static let wrongCode = InvalidValue(
    code: "wrong-code", message: "The code is wrong, too old, or was used before.")
}
