import Memes
import SQL

// Usernames, and their changes, in the table `users`. The former username stays reserved for a while, so that links to
// it do not lead to someone else.

/// Gives a person another username, and puts their memes into their list of changes again, because libraries show the
/// name with them.
///
/// - Parameter person: `users.seq`, whose row this transaction has locked.
/// - Returns: whether the username is another one than before.
/// - Throws: ``MemeError/renamedRecently``, ``MemeError/usernameTaken``.
func rename(
  _ person: Int64, to username: Username, at time: Timestamp, in db: borrowing Transaction
) throws -> Bool {
  let before = try db.first("SELECT username, renamed_at FROM users WHERE seq = ?", person) { row in
    (name: try row.next() as String, renamedAt: try row.nextOptionalTimestamp())
  }
  guard let before, before.name != username.text else { return false }
  if let renamedAt = before.renamedAt, renamedAt > Username.reservationHorizon(at: time) {
    throw MemeError.renamedRecently
  }
  try checkIsFree(username, at: time, in: db)
  try db.run(
    "UPDATE users SET username = ?, former_username = username, renamed_at = ? WHERE seq = ?",
    username.text, time.millisecondsSince1970, person)
  try db.run(
    "UPDATE user_words SET word = ? WHERE kind = 0 AND word = ? AND user = ?", username.text,
    before.name, person)
  // Admins act on reported people by their username, which may be someone else's later.
  try db.run(
    "UPDATE reports SET username = ? WHERE kind = 2 AND subject = (SELECT id FROM users WHERE seq = ?)",
    username.text, person)
  try repeatChanges(of: person, in: db)
  return true
}

/// - Throws: ``MemeError/usernameTaken`` if an account has the username, or had it until recently.
func checkIsFree(
  _ username: Username, at time: Timestamp, in db: borrowing Transaction
) throws {
  // One statement: if another transaction renames the account in between, it finds the name in one of the columns.
  let isTaken = try db.exists(
    "SELECT seq FROM users WHERE username = ?1 OR (former_username = ?1 AND renamed_at > ?2)",
    username.text, Username.reservationHorizon(at: time).millisecondsSince1970)
  guard !isTaken else { throw MemeError.usernameTaken }
}

/// Moves the changes of all existing memes behind the person's newest change, in the same order, so that clients get
/// these memes again. Their versions stay, so that clients keep the pictures.
private func repeatChanges(of person: Int64, in db: borrowing Transaction) throws {
  let step = try db.first(
    """
    SELECT last_change + 1 - (SELECT min(number) FROM changes WHERE author = ?1 AND deleted_at IS NULL)
    FROM users WHERE seq = ?1
    """, person
  ) { row in try row.next() as Int64? }
  guard let step = step.flatMap(\.self) else { return }
  try db.run(
    "UPDATE changes SET number = number + ?2 WHERE author = ?1 AND deleted_at IS NULL", person, step
  )
  try db.run("UPDATE users SET last_change = last_change + ?2 WHERE seq = ?1", person, step)
}
