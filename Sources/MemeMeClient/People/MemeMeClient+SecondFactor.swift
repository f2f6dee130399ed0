extension MemeMeClient {
  /// Makes the secret of a second factor, which is on after ``turnOnSecondFactor(code:password:)``. It needs a session,
  /// not an access token.
  ///
  /// - Parameter password: The current password. `nil` is enough in the first ten minutes of the session.
  /// - Throws: A problem with the code `secondFactorOn`, or `invalidInput` with every invalid field.
  public func beginSecondFactor(password: String? = nil) async throws -> NewSecondFactor {
    var call = Call(.beginSecondFactor)
    try call.send(password.map { ["password": $0] } ?? [:])
    return try await value(call)
  }

  /// Turns the second factor on.
  ///
  /// - Parameter code: The six digits that the app shows.
  /// - Returns: Ten recovery codes, each of which replaces a code once. The server does not show them again.
  /// - Throws: A problem with the code `notFound` before ``beginSecondFactor(password:)``, `secondFactorOn`, or
  ///   `invalidInput` with every invalid field.
  public func turnOnSecondFactor(code: String, password: String) async throws -> [Token] {
    var call = Call(.turnOnSecondFactor)
    try call.send(["code": code, "password": password])
    return try await recoveryCodes(call)
  }

  /// Turns the second factor off.
  ///
  /// - Parameter code: The six digits that the app shows, or a recovery code.
  /// - Throws: A problem with the code `notFound` if it is off, or `invalidInput` with every invalid field.
  public func turnOffSecondFactor(code: String, password: String) async throws {
    var call = Call(.turnOffSecondFactor)
    try call.send(["code": code, "password": password])
    try await perform(call)
  }

  /// Makes ten new recovery codes. The earlier ones are then invalid.
  ///
  /// - Parameter code: The six digits that the app shows, or a recovery code.
  /// - Throws: A problem with the code `notFound` if it is off, or `invalidInput` with every invalid field.
  public func renewRecoveryCodes(code: String, password: String) async throws -> [Token] {
    var call = Call(.renewRecoveryCodes)
    try call.send(["code": code, "password": password])
    return try await recoveryCodes(call)
  }

  private func recoveryCodes(_ call: Call) async throws -> [Token] {
    struct Codes: Decodable {
      let recoveryCodes: [Token]
    }
    let codes: Codes = try await value(call)
    return codes.recoveryCodes
  }
}
