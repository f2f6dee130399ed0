package import Memes
package import SQL

/// Reads how much is stored: bytes from the counters in `users` and `totals`, which triggers maintain, and the number
/// of templates from `templates`. Also stores the standard limits, in the table `storage_limits`.
///
/// Each call is one transaction. The usage of one account is read on the caller's thread, that of all accounts on a
/// thread for long reads. The limits are written on the writer thread.
///
/// Every method may throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
/// ``standardLimits(proposing:)`` may also throw ``MemeError/storageFull``.
package struct UsageStore: Sendable {
  private let readers: any Readers
  private let writer: any Writer

  package init(_ database: any Database) { (readers, writer) = (database.readers, database.writer) }

  /// The quota of the viewer's account, or that of all data without an account; `nil` if there is no limit.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func quota(of viewer: Principal, _ limits: StorageLimits) async throws -> Quota? {
    guard let person = viewer.person else {
      guard let limit = limits.anonymous else { return nil }
      let used = try await readers.read { db in try anonymousBytes(in: db) }
      return Quota(.anonymous, limit: limit, used: used)
    }
    return try await readers.read { db in
      guard let author = try authorNumber(person, in: db) else { throw MemeError.unauthorized }
      let account = try storedBytes(of: author, in: db)
      return (account.quota ?? limits.account).map {
        Quota(.account, limit: $0, used: account.used)
      }
    }
  }

  /// - Throws: ``MemeError/unauthorized`` if there is no such user.
  package func usage(of person: UserID) async throws -> Usage {
    try await readers.read { db in
      guard let author = try authorNumber(person, in: db) else { throw MemeError.unauthorized }
      let (used, quota) = try storedBytes(of: author, in: db)
      return Usage(
        bytes: used, quotaBytes: quota, templates: try templateCount(author, in: db))
    }
  }

  /// - Parameter count: the maximum number of accounts in ``TotalUsage/largest``.
  package func usage(largest count: Int) async throws -> TotalUsage {
    // Long, because it scans all accounts.
    try await readers.readLong(for: Requester.current?.turnText) { db in
      let largest = try db.all(
        """
        SELECT username, stored_bytes FROM users WHERE stored_bytes > 0
        ORDER BY stored_bytes DESC, seq LIMIT ?
        """, count
      ) { row in
        TotalUsage.Account(username: try row.next(), bytes: try row.next())
      }
      let bytes = try db.first(
        """
        SELECT anonymous_bytes, picture_bytes + template_bytes + upload_bytes + unfinished_upload_bytes
          - (SELECT CAST(coalesce(sum(byte_count + thumbnail_byte_count), 0) AS bigint)
            FROM templates WHERE belongs_to_server)
        FROM \(db.dialect.totals) WHERE id = 1
        """
      ) { row in (anonymous: try row.next() as Int, all: try row.next() as Int) }
      let (anonymous, all) = bytes ?? (0, 0)
      return TotalUsage(
        anonymousBytes: anonymous, accountBytes: all - anonymous, largest: largest)
    }
  }

  /// The limits that apply if no setting defines them, as the first start chose them. Call this when the server starts.
  ///
  /// - Parameter proposed: the limits for a new installation. If one of them is `nil`, the choice is not stored yet.
  /// - Returns: the limits, and whether this call chose them. A limit that the data already exceeds becomes `nil`.
  package func standardLimits(
    proposing proposed: StorageLimits
  ) async throws -> (limits: StorageLimits, areNew: Bool) {
    try await writer.transaction { db in
      let chosen = try db.first(
        "SELECT account_bytes, anonymous_bytes FROM storage_limits WHERE id = 1"
      ) { row in (account: try row[0] as Int?, anonymous: try row[1] as Int?) }
      var limits = proposed
      if let chosen {
        (limits.account, limits.anonymous) = chosen
        return (limits, false)
      }
      let most: Int? = try db.value("SELECT coalesce(max(stored_bytes), 0) FROM users")
      let anonymous = try anonymousBytes(in: db)
      limits.account = proposed.account.flatMap { most ?? 0 > $0 ? nil : $0 }
      limits.anonymous = proposed.anonymous.flatMap { anonymous > $0 ? nil : $0 }
      guard proposed.account != nil, proposed.anonymous != nil else { return (limits, false) }
      try db.run(
        "INSERT INTO storage_limits (id, account_bytes, anonymous_bytes) VALUES (1, ?, ?)",
        limits.account, limits.anonymous)
      return (limits, true)
    }
  }
}

extension StorageLimits {
  /// Rejects bytes that would exceed the limit of their owner.
  ///
  /// - Parameter author: `nil` if the owner has no account.
  /// - Throws: ``MemeError/quotaExceeded(_:)``.
  func check(
    adding bytes: Int, by author: Int64?, in db: borrowing Transaction
  ) throws {
    if let author {
      let (used, quota) = try storedBytes(of: author, in: db)
      if let limit = quota ?? account { try refuse(.account, limit, used: used, adding: bytes) }
    }
    if author == nil, let anonymous {
      try refuse(.anonymous, anonymous, used: try anonymousBytes(in: db), adding: bytes)
    }
  }

  /// Rejects another template for an account that has reached the maximum number.
  func checkTemplates(
    by author: Int64?, in db: borrowing Transaction
  ) throws {
    guard let author, let templates else { return }
    try refuse(.templates, templates, used: try templateCount(author, in: db), adding: 1)
  }

  private func refuse(
    _ kind: Quota.Kind, _ limit: Int, used: Int, adding count: Int
  ) throws {
    guard count <= limit - used else {
      throw MemeError.quotaExceeded(Quota(kind, limit: limit, used: used))
    }
  }
}

/// The bytes of an account, and its own quota.
private func storedBytes(
  of author: Int64, in db: borrowing Transaction
) throws -> (used: Int, quota: Int?) {
  try db.first("SELECT stored_bytes, quota_bytes FROM users WHERE seq = ?", author) { row in
    (try row.next() as Int, try row.next() as Int?)
  } ?? (0, nil)
}

private func anonymousBytes(in db: borrowing Transaction) throws -> Int {
  try db.value("SELECT anonymous_bytes FROM \(db.dialect.totals) WHERE id = 1") ?? 0
}

private func templateCount(
  _ author: Int64, in db: borrowing Transaction
) throws -> Int {
  try db.value("SELECT count(*) FROM templates WHERE author = ?", author) ?? 0
}
