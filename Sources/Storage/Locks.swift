import Memes
import SQL

/// Locks on rows, for rules that compare or count what another transaction may change: decision 0084.
///
/// SQLite has one writer, so its transactions need none. On PostgreSQL, a transaction locks before it reads what it
/// decides by, because each statement sees what is committed by then. It locks accounts first, in the order of their
/// numbers, then memes, then other rows, so that two transactions do not wait for each other.
extension Transaction {
  /// Locks an account.
  func lock(account: UserID?) throws {
    guard let account else { return }
    try postLock("SELECT seq FROM users WHERE id = ? FOR NO KEY UPDATE", account.bytes)
  }

  func lock(account: Username) throws {
    try postLock("SELECT seq FROM users WHERE username = ? FOR NO KEY UPDATE", account.text)
  }

  /// Locks two accounts, which may be the same.
  func lock(accounts one: UserID, _ other: Username) throws {
    try postLock(
      """
      SELECT seq FROM users
      WHERE seq IN ((SELECT seq FROM users WHERE id = ?), (SELECT seq FROM users WHERE username = ?))
      ORDER BY seq FOR NO KEY UPDATE
      """, one.bytes, other.text)
  }

  /// Locks the account of a person who leaves, and the accounts whose counts that changes: of those whom the person
  /// follows, of followers, and of the authors of memes with reactions or comments of the person.
  ///
  /// - Parameters:
  ///   - count: the maximum number of reactions of each kind, of follows and of followers that are removed.
  ///   - admin: who deletes the account; `nil` if the person does. Of two admins who delete each other at the same
  ///     moment, the second one is no longer there.
  func lock(leaving person: UserID, atMost count: Int, by admin: UserID? = nil) throws {
    guard mustLock else { return }
    let leaving = "(SELECT seq FROM users WHERE id = ?1)"
    let memes = reactionTables.map { table in
      """
      SELECT author FROM memes WHERE seq IN (
        SELECT meme FROM \(table) WHERE user = \(leaving) ORDER BY meme, seq LIMIT ?2)
      """
    }
    let people = [
      "SELECT \(leaving)", "SELECT seq FROM users WHERE id = ?3",
    ]
    let follows = [("followed", "follower"), ("follower", "followed")].map { other, side in
      """
      SELECT \(other) FROM follows WHERE seq IN (
        SELECT seq FROM follows WHERE \(side) = \(leaving) ORDER BY seq LIMIT ?2)
      """
    }
    try postLock(
      """
      SELECT seq FROM users WHERE seq IN (\((people + follows + memes).joined(separator: " UNION ALL ")))
      ORDER BY seq FOR NO KEY UPDATE
      """, person.bytes, count, admin?.bytes)
  }

  /// Locks the account with this address.
  func lock(account email: EmailAddress) throws {
    try postLock(
      "SELECT seq FROM users WHERE \(dialect.isEmail("?")) FOR NO KEY UPDATE", email.text)
  }

  /// Locks the account of a password reset.
  func lock(accountResetting token: Digest) throws {
    try postLock(
      """
      SELECT seq FROM users WHERE seq = (SELECT user FROM password_resets WHERE token = ?)
      FOR NO KEY UPDATE
      """, token.bytes)
  }

  /// Locks the account of the person who made an invitation.
  func lock(inviterOf code: Digest) throws {
    try postLock(
      """
      SELECT seq FROM users WHERE seq = (SELECT inviter FROM invitations WHERE code = ?)
      FOR NO KEY UPDATE
      """, code.bytes)
  }

  /// Locks a meme, and before it the accounts of its author and of the person who acts.
  func lock(meme: MemeID, by person: UserID?) throws {
    try postLock(
      """
      SELECT seq FROM users
      WHERE seq IN ((SELECT seq FROM users WHERE id = ?1), (SELECT author FROM memes WHERE id = ?2))
      ORDER BY seq FOR NO KEY UPDATE
      """, person?.bytes, meme.bytes)
    try postLock("SELECT seq FROM memes WHERE id = ? FOR NO KEY UPDATE", meme.bytes)
  }

  /// Locks memes that are being removed, so that no transaction adds references to them, and their renditions, so that
  /// none is evicted. Their author must be locked.
  ///
  /// - Parameter memes: their numbers, a JSON array.
  func lock(removing memes: String) throws {
    let numbers = "(SELECT CAST(value AS bigint) FROM json_each(?))"
    try postLock("SELECT seq FROM memes WHERE seq IN \(numbers) ORDER BY seq FOR UPDATE", memes)
    try postLock(
      """
      SELECT meme FROM derived_pictures WHERE meme IN \(numbers) ORDER BY meme, width, format FOR UPDATE
      """, memes)
  }

  /// Locks a comment, and before it the accounts and the meme that its counts change.
  func lock(comment: CommentID, by person: UserID?) throws {
    let meme = "(SELECT meme FROM comments WHERE id = ?2)"
    try postLock(
      """
      SELECT seq FROM users
      WHERE seq IN ((SELECT seq FROM users WHERE id = ?1), (SELECT author FROM memes WHERE seq = \(meme)))
      ORDER BY seq FOR NO KEY UPDATE
      """, person?.bytes, comment.bytes)
    try postLock(
      "SELECT seq FROM memes WHERE seq = (SELECT meme FROM comments WHERE id = ?) FOR NO KEY UPDATE",
      comment.bytes)
    try postLock("SELECT seq FROM comments WHERE id = ? FOR NO KEY UPDATE", comment.bytes)
  }

  /// Locks memes, and before them the accounts of their authors.
  ///
  /// - Returns: whether there is a need to read again what was read before.
  func lock(memes: [Int64]) throws -> Bool {
    guard mustLock, !memes.isEmpty else { return false }
    try lock(memes, of: "memes", after: "author")
    return true
  }

  /// Locks connections, and before them the accounts of their owners.
  func lock(connections: [Int64]) throws {
    guard mustLock, !connections.isEmpty else { return }
    try lock(connections, of: "connections", after: "owner")
  }

  /// Locks rows by number, and before them the accounts in a column of theirs.
  private func lock(_ numbers: [Int64], of table: String, after account: String) throws {
    let wanted = "SELECT CAST(value AS bigint) FROM json_each(?)"
    let array = "[\(numbers.map(String.init).joined(separator: ","))]"
    try postLock(
      """
      SELECT seq FROM users WHERE seq IN (SELECT \(account) FROM \(table) WHERE seq IN (\(wanted)))
      ORDER BY seq FOR NO KEY UPDATE
      """, array)
    try postLock(
      "SELECT seq FROM \(table) WHERE seq IN (\(wanted)) ORDER BY seq FOR NO KEY UPDATE", array)
  }

  /// Locks a report, and with it the other open reports on its subject.
  func lock(report: ReportID, isForAll: Bool) throws {
    try postLock(
      """
      SELECT seq FROM reports WHERE seq IN (
        SELECT seq FROM reports WHERE id = ?1
        UNION ALL SELECT seq FROM reports
        WHERE ?2 AND status = 0 AND subject = (SELECT subject FROM reports WHERE id = ?1))
      ORDER BY seq FOR NO KEY UPDATE
      """, report.bytes, isForAll)
  }

  /// Locks an unfinished upload, and before it the account of its author, also if the upload is finished.
  func lock(upload: UploadID) throws {
    try postLock(
      """
      SELECT seq FROM users WHERE seq = coalesce(
        (SELECT author FROM unfinished_uploads WHERE id = ?1), (SELECT author FROM uploads WHERE id = ?1))
      FOR NO KEY UPDATE
      """, upload.bytes)
    try postLock("SELECT seq FROM unfinished_uploads WHERE id = ? FOR UPDATE", upload.bytes)
  }

  /// Locks what a digest stands for, such as a network, until the end of the transaction.
  func lock(_ digest: Digest) throws {
    try lock(named: digest.hexadecimal)
  }

  /// Runs a statement that only locks, if there is a need.
  func postLock(_ sql: String, _ values: any Bindable...) throws {
    if mustLock { try post(sql, values: values) }
  }

  /// SQLite has one writer.
  var mustLock: Bool { dialect == .postgreSQL }
}
