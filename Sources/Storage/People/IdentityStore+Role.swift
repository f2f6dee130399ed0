package import Memes
import SQL

/// Roles that a provider of single sign-ons decides.
extension IdentityStore {
  /// Gives a user the role that the provider says, with an entry in the audit log. Has no effect if the user has it.
  ///
  /// The last admin who is not suspended keeps the role: a wrong claim would otherwise leave the server without admins.
  ///
  /// - Parameter request: the ID of the request.
  /// - Returns: `false` if the user is the last admin, and keeps the role.
  package func give(
    _ role: Role, to user: User, request: String, at time: Timestamp
  ) async throws -> Bool {
    try await writer.transaction { db in
      // Two admins who lose the role at the same moment count each other otherwise.
      try db.lock(account: user.id)
      try db.lock(named: "admins")
      guard let account = try UserStore.find("WHERE id = ?", user.id.bytes, db),
        account.accountStatus.role != role, !account.accountStatus.isSuspended
      else { return true }
      let entry = Authority(.administrator(user.id), request: request).map { authority in
        AuditEntry(
          at: time, authority, .changeRoleBySignIn, account.user.username.text,
          AuditDetails(role: role))
      }
      if role == .member {
        guard try hasOtherAdmin(than: user.id, in: db) else { return false }
        // Recorded before, because the entry is the user's, as an admin.
        try record(entry, in: db)
        try endInvitations(of: user.id, in: db)
      }
      try db.run("UPDATE users SET role = ? WHERE id = ?", role.number, user.id.bytes)
      if role == .admin {
        try record(entry, in: db)
        try endSetupLinks(in: db)
      }
      return true
    }
  }
}

private func hasOtherAdmin(than person: UserID, in db: borrowing Transaction) throws -> Bool {
  try db.exists(
    "SELECT 1 FROM users WHERE role = ? AND suspended_at IS NULL AND id <> ? LIMIT 1",
    Role.admin.number, person.bytes)
}
