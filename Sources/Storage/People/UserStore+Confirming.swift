package import Memes
import SQL

/// Confirmed email addresses, in the table `users`.
extension UserStore {
  /// Records that the email of an account is confirmed. On return, this is durable.
  ///
  /// - Returns: `false` if the account was deleted, has another email or confirmed this one before.
  package func confirm(
    _ email: EmailAddress, of id: UserID, at time: Timestamp
  ) async throws -> Bool {
    try await writer.write { db in
      let confirmed = try db.run(
        """
        UPDATE users SET email_confirmed_at = ?
        WHERE id = ? AND \(db.dialect.isEmail("?")) AND email_confirmed_at IS NULL
        """, time.millisecondsSince1970, id.bytes, email.text)
      return Written(confirmed > 0)
    }
  }

  /// Whether the user may send mails to others: the email is confirmed, or the account is from before confirmations.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func mayMail(_ id: UserID, at time: Timestamp) async throws -> Bool {
    let found: Bool? = try await readers.read { db in
      try db.value(
        """
        SELECT email_confirmed_at IS NOT NULL OR coalesce(unconfirmed_until, 0) > ?
        FROM users WHERE id = ?
        """, time.millisecondsSince1970, id.bytes)
    }
    guard let found else { throw MemeError.unauthorized }
    return found
  }
}
