extension MemeMeClient {
  /// Creates an invitation. For admins, and for members if the server allows it.
  ///
  /// - Returns: The invitation with its code. If the response is lost, delete the invitation and create another one.
  /// - Throws: A problem with the code `forbidden`, `registrationClosed` or `tooManyInvitations`, or `invalidInput`
  ///   with every invalid field.
  public func invite(_ terms: InvitationTerms = InvitationTerms()) async throws -> NewInvitation {
    try await value(Call(.createInvitation).with(json: terms))
  }

  /// Returns the valid invitations of the signed-in user, or of all users for an admin, newest first.
  public func invitations(
    limit: Int? = nil, after cursor: Cursor? = nil
  ) async throws -> Page<Invitation> {
    try await list(Call(.listInvitations), limit, cursor)
  }

  /// Deletes an invitation. Accounts that it created stay.
  public func deleteInvitation(_ id: Invitation.ID) async throws {
    try await perform(Call(.deleteInvitation, "\(id)"))
  }
}
