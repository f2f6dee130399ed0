extension MemeMeClient {
  /// Checks that the server's process responds.
  public func checkHealth() async throws {
    let _: ServerState = try await value(Call(.getHealth))
  }

  /// Checks that every part of the server works.
  ///
  /// - Throws: A problem with the code `notReady` that names the failing part.
  public func checkReadiness() async throws {
    let _: ServerState = try await value(Call(.getReadiness))
  }
}

/// The server's own report of its state.
private struct ServerState: Decodable {
  let status: String
}
