import Foundation
package import Testing

extension TestServer {
  /// Creates an account with the admin role, through the command line while the server runs.
  ///
  /// - Returns: the token of a session.
  @discardableResult
  package func signUpAdmin(_ username: String = "root_cat") async throws -> String {
    let token = try await signUp(username)
    try await give("admin", to: username)
    return token
  }

  /// Gives a person a role through the command line.
  package func give(
    _ role: String, to username: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let ended = try await ServerProcess.run(
      ["user", "role", username, role, "--data", folder.path] + databaseFlags)
    #expect(ended.code == 0, "\(ended.output)", sourceLocation: sourceLocation)
  }

  /// Suspends a person with the admin token, or with the token of another admin.
  @discardableResult
  package func suspend(
    _ username: String, _ json: String = "{}", token: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    try await self.json(
      "PUT", "/admin/users/\(username)/suspension", json, token: token ?? adminToken,
      sourceLocation: sourceLocation)
  }

  /// The audit log, newest first: actor, act and subject.
  package func acts(token: String? = nil) async throws -> [String] {
    try await get("/admin/audit?limit=100", token: token ?? adminToken).expect(200).json.items
      .elements.map { act in
        let actor = act.actor.username.text ?? act.actor.kind.text ?? ""
        return "\(actor) \(act.act.text ?? "") \(act.subject.text ?? "-")"
      }
  }
}
