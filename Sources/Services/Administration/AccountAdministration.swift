import Crypto
package import Memes
package import Storage

/// Manages accounts for an operator at the machine.
package struct AccountAdministration: Sendable {
  private let store: AccountStatusStore
  private let hasher: PasswordHasher
  private let now: @Sendable () -> Timestamp

  package init(
    store: AccountStatusStore, hasher: PasswordHasher, now: @escaping @Sendable () -> Timestamp
  ) { (self.store, self.hasher, self.now) = (store, hasher, now) }

  /// Creates an account. On return, it is durable.
  ///
  /// - Throws: ``MemeError/usernameTaken``, ``MemeError/emailTaken``, ``MemeError/invalid(field:_:)`` (`password`).
  package func create(
    _ username: Username, _ email: EmailAddress, password: String, rules: PasswordRules, role: Role
  ) async throws {
    let checked: Password
    do throws(InvalidValue) {
      checked = try rules.password(password)
      if let refusal = rules.refusal(of: checked, for: username, email) { throw refusal }
    } catch { throw MemeError.invalid(field: "password", error) }
    let time = now()
    let user = User(
      id: UserID(Random.uuid()), username: username, email: email, displayName: nil, biography: nil,
      createdAt: time, passwordChangedAt: time,
      // The operator vouches for it.
      emailConfirmedAt: time, role: role)
    let account = Account(
      user: user, password: try await hasher.hash(checked),
      accountStatus: AccountStatus(role: role, isSuspended: false))
    let entry = AuditEntry(
      at: time, .command, .createPerson, username.text, AuditDetails(role: role))
    try await store.insert(account, recording: entry)
  }
}
