import Memes
import SQL

/// Locks the account of a request that needs proof of identity, and reads it.
///
/// - Parameters:
///   - password: the hash against which the password was verified; `nil` if none was necessary.
///   - session: the session of the request.
/// - Returns: `nil` if the session has ended, or the password hash changed.
/// - Throws: ``MemeError/suspended``.
func provenAccount(
  of person: UserID, if password: HashedPassword?, in session: SessionID,
  _ db: borrowing Transaction
) throws -> (number: Int64, accountStatus: AccountStatus)? {
  try db.lock(account: person)
  let found = try db.first(
    """
    SELECT users.seq, \(accountStatusColumns) FROM users
    WHERE users.id = ?1 AND password = coalesce(?2, password)
      AND EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = ?3 AND s.user = users.seq)
    """, person.bytes, password?.encoded, session.bytes
  ) { row in (number: try row.next() as Int64, accountStatus: try AccountStatus(&row)) }
  guard found?.accountStatus.isSuspended != true else { throw MemeError.suspended }
  return found
}
