extension MemeMeClient {
  /// Finds out whether the server's process answers.
  public func checkHealth() async throws {
    let _: ServerState = try await value(Call(.getHealth))
  }

  /// Finds out whether every part of the server works.
  ///
  /// - Throws: a problem, `notReady`, that says what does not.
  public func checkReadiness() async throws {
    let _: ServerState = try await value(Call(.getReadiness))
  }
}

/// What a server says of itself.
private struct ServerState: Decodable {
  let status: String
}
