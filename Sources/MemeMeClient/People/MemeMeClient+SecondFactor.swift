extension MemeMeClient {
  /// Makes the secret of a second factor, which is on after ``turnOnSecondFactor(code:password:)``. It needs a session,
  /// not an access token.
  ///
  /// - Parameter password: The current password. `nil` is enough in the first ten minutes of the session.
  /// - Throws: A problem with the code `secondFactorOn`, or `invalidInput` with every invalid field.
  public func beginSecondFactor(password: String? = nil) async throws -> NewSecondFactor {
    try await value(Call(.beginSecondFactor).with(json: password.map { ["password": $0] } ?? [:]))
  }

  /// Turns the second factor on.
  ///
  /// - Parameter code: The six digits that the app shows.
  /// - Returns: Ten recovery codes, each of which replaces a code once. The server does not show them again.
  /// - Throws: A problem with the code `notFound` before ``beginSecondFactor(password:)``, `secondFactorOn`, or
  ///   `invalidInput` with every invalid field.
  public func turnOnSecondFactor(code: String, password: String) async throws -> [Token] {
    try await recoveryCodes(
      Call(.turnOnSecondFactor).with(json: ["code": code, "password": password]))
  }

  /// Turns the second factor off.
  ///
  /// - Parameter code: The six digits that the app shows, or a recovery code.
  /// - Throws: A problem with the code `notFound` if it is off, or `invalidInput` with every invalid field.
  public func turnOffSecondFactor(code: String, password: String) async throws {
    try await perform(Call(.turnOffSecondFactor).with(json: ["code": code, "password": password]))
  }

  /// Makes ten new recovery codes. The earlier ones are then invalid.
  ///
  /// - Parameter code: The six digits that the app shows, or a recovery code.
  /// - Throws: A problem with the code `notFound` if it is off, or `invalidInput` with every invalid field.
  public func renewRecoveryCodes(code: String, password: String) async throws -> [Token] {
    try await recoveryCodes(
      Call(.renewRecoveryCodes).with(json: ["code": code, "password": password]))
  }

  private func recoveryCodes(_ call: Call) async throws -> [Token] {
    struct Codes: Decodable {
      let recoveryCodes: [Token]
    }
    let codes: Codes = try await value(call)
    return codes.recoveryCodes
  }
}
