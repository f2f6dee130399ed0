extension MemeMeClient {
  /// Returns the identities with which the signed-in user can sign in by a provider, newest first. Users link them in a
  /// browser, in the settings of the web app.
  public func identities() async throws -> [LinkedIdentity] {
    let page: Page<LinkedIdentity> = try await value(Call(.listIdentities))
    return page.items
  }

  /// Unlinks an identity of the signed-in user.
  ///
  /// - Throws: A problem with the code `lastWayToSignIn` if the account has no password and no other identity.
  public func unlinkIdentity(_ id: LinkedIdentity.ID) async throws {
    try await perform(Call(.unlinkIdentity, "\(id)"))
  }
}
