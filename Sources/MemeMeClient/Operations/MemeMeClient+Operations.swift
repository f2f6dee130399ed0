extension MemeMeClient {
  /// Finds out whether the server's process answers.
  public func checkHealth() async throws { try await perform(Call(.getHealth)) }

  /// Finds out whether every part of the server works.
  ///
  /// - Throws: a problem, `notReady`, that says what does not.
  public func checkReadiness() async throws { try await perform(Call(.getReadiness)) }
}
