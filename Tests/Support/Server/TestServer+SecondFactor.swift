import Crypto
package import Memes
package import Testing

/// The authenticator app of a test.
package struct TestApp: Sendable {
  private let secret: [UInt8]

  /// - Parameter base32: the secret as the server shows it.
  package init(_ base32: String) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    let bits = base32.flatMap { letter in
      let value = alphabet.firstIndex(of: letter) ?? 0
      return (0..<5).map { value >> (4 - $0) & 1 }
    }
    secret = stride(from: 0, to: bits.count - 7, by: 8).map { start in
      UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
    }
  }

  /// The code that the app shows.
  package func code(at time: Timestamp) throws -> String {
    try TOTP.code(secret, at: time.millisecondsSince1970 / 1000 / TOTP.stepSeconds)
  }

  /// Six digits that are wrong now, and one step before and after.
  package func wrongCode(at time: Timestamp) throws -> String {
    let step = time.millisecondsSince1970 / 1000 / TOTP.stepSeconds
    let right = try Set((step - 1...step + 1).map { try TOTP.code(secret, at: $0) })
    return ["000000", "111111", "222222", "333333"].first { !right.contains($0) } ?? ""
  }
}

extension TestServer {
  /// Turns on a second factor.
  ///
  /// - Parameters:
  ///   - token: that of a recent session.
  ///   - time: the time of the server's clock.
  package func turnOnSecondFactor(
    token: String, at time: Timestamp, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (app: TestApp, recoveryCodes: [String]) {
    let begun = try await json(
      "POST", "/users/me/totp", "{}", token: token, sourceLocation: sourceLocation
    ).expect(201).json
    let app = TestApp(try #require(begun.secret.text, sourceLocation: sourceLocation))
    let answer = try await json(
      "PUT", "/users/me/totp",
      #"{"code":"\#(app.code(at: time))","password":"\#(Self.password)"}"#, token: token,
      sourceLocation: sourceLocation)
    let codes = answer.expect(200).json.recoveryCodes.elements.compactMap(\.text)
    return (app, codes)
  }

  /// Signs in with a code.
  package func signIn(
    _ username: String, code: String?, password: String = Self.password,
    headers: [(String, String)] = []
  ) async throws -> Answer {
    let field = code.map { #","code":"\#($0)""# } ?? ""
    return try await json(
      "POST", "/sessions", #"{"username":"\#(username)","password":"\#(password)"\#(field)}"#,
      headers: headers)
  }
}
