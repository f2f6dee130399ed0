import Foundation
import Support
import Testing

struct SecretTests {
  /// None of these may be found anywhere.
  private static let passwords = [
    "canary-one-4f1c", "canary-two-9b2e", "canary-three-77d0", "canary-four-31aa",
    "canary-five-8e60",
  ]

  @Test func `neither passwords nor tokens are ever in the data folder`() async throws {
    try await withDataFolder { folder in
      var secrets = Self.passwords
      try await withServer(in: folder) { server in
        try await server.register(
          "ada", password: Self.passwords[0], headers: [("Idempotency-Key", "k")]
        ).expect(201)
        try await server.register("bob", password: Self.passwords[0]).expect(201)
        let token = try await server.token("ada", password: Self.passwords[0])
        try await server.signIn("ada", password: Self.passwords[1]).expect(401)
        try await server.register("ada", password: Self.passwords[2]).expect(409)
        try await server.json(
          "PUT", "/users/me/password",
          #"{"current":"\#(Self.passwords[0])","new":"\#(Self.passwords[3])"}"#, token: token
        ).expect(204)
        let cookie = try await server.signIn(
          "ada", password: Self.passwords[3], cookie: true, headers: [("Sec-Fetch-Site", "none")]
        ).expect(201)
        let shown = try #require(cookie["set-cookie"]?.prefix { $0 != ";" }.dropFirst(7))
        try await server.get("/users/me", token: "\(token)x").expect(401)
        let reset = try await server.resetToken(for: "ada@example.org", mails: 1)
        try await server.json(
          "PUT", "/password-resets/\(reset)", #"{"password":"\#(Self.passwords[4])"}"#
        ).expect(204)
        secrets += [token, String(shown), reset]
        // Stored text is found, so the search works.
        #expect(try storedText(in: folder).contains("ada@example.org"))
        for secret in secrets { #expect(try !storedText(in: folder).contains(secret)) }
      }
      for secret in secrets { #expect(try !storedText(in: folder).contains(secret)) }
    }
  }
}

/// The text of all files of a data folder, including logs.
func storedText(in folder: URL) throws -> String {
  try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    .filter { !$0.hasDirectoryPath }
    .map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }.joined(separator: "\n")
}
