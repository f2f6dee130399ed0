package import Testing

extension TestServer {
  /// Makes a backup and waits until it is complete.
  @discardableResult
  package func backUp(
    token: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSON {
    let token = token ?? adminToken
    let begun = try await ask("POST", "/admin/backups", token: token)
    begun.expect(202, sourceLocation: sourceLocation)
    let address = begun["location"] ?? ""
    while true {
      let backup = try await get(address, token: token).expect(
        200, sourceLocation: sourceLocation
      ).json
      switch backup.state.text {
      case "copying", "verifying": try await Task.sleep(for: .milliseconds(10))
      default:
        #expect(backup.state.text == "complete", "\(backup)", sourceLocation: sourceLocation)
        return backup
      }
    }
  }
}
